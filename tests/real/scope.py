"""Scripts (.scope) read and written: commands with their blocks and recorded output."""

import re

ESCAPES = {'"': b'"', "\\": b"\\", "n": b"\n", "t": b"\t", "r": b"\r"}


class Command:
    """One command: its line, the lines of its block (None: it has none), and what it printed.

    real: the same as etcdctl knows it, where that is another line (None: it is this one)."""

    def __init__(self, line, block=None, real=None):
        self.line, self.block, self.output, self.real = line, block, [], real

    def lines(self):
        return [self.line] + (self.block + ["end"] if self.block is not None else [])


def opens_block(line):
    """`txn` without if or then as its first word that is no flag."""
    words = line.split()
    if not words or words[0] not in ("txn", "tx", "t") or "-h" in words or "--help" in words:
        return False
    rest = [w for w in words[1:] if not w.startswith("-")]
    while rest and rest[0] in ("json", "fields", "simple", "table"):  # the value of -w
        rest.pop(0)
    return not (rest and rest[0] in ("if", "then"))


def read(text):
    """The commands of a script; narration is left out, recorded lines are kept as output."""
    commands, lines, at = [], text.split("\n"), 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line == "" or line.startswith("#") or line.startswith("~ "):
            continue
        if line == "|" or line.startswith("| "):
            commands[-1].output.append(line[2:])
        elif line.startswith('|"'):
            commands[-1].output.append(line[1:])
        else:
            commands.append(Command(line))
            if opens_block(line):
                commands[-1].block = []
                while at < len(lines) and lines[at] != "end":
                    commands[-1].block.append(lines[at])
                    at += 1
                at += 1
    return commands


def write(commands):
    return "".join(line + "\n" for c in commands for line in c.lines())


def expand_repeat(text):
    return re.sub(r"@repeat\((\d+),([^)]*)\)", lambda m: m.group(2) * int(m.group(1)), text)


def words(line):
    """A command line cut into words of bytes (conformance/README.md, "Words of a command line")."""
    out, at, n = [], 0, len(line)
    while at < n:
        if line[at] in " \t":
            at += 1
            continue
        word, quoted, start = b"", False, at
        while at < n and line[at] not in " \t":
            c = line[at]
            at += 1
            if c == "'":
                quoted = True
                end = line.index("'", at)
                word += line[at:end].encode()
                at = end + 1
            elif c == '"':
                quoted = True
                while line[at] != '"':
                    if line[at] != "\\":
                        word += line[at].encode()
                        at += 1
                    elif line[at + 1] == "x":
                        word += bytes([int(line[at + 2 : at + 4], 16)])
                        at += 4
                    else:
                        word += ESCAPES[line[at + 1]]
                        at += 2
                at += 1
            else:
                word += c.encode()
        if not quoted and line.startswith("@repeat(", start):
            word = expand_repeat(word.decode()).encode()
        out.append(word)
    return out


def quote(word):
    """A word of bytes, written so that `words` reads it back."""
    plain = re.fullmatch(rb"[0-9A-Za-z/_.:=+,%@^~$*#{}()<>!?\[\]\\;-]+", word)
    if plain and not word.startswith(b"@repeat") and not word.startswith(b"#") and word != b"\\":
        return word.decode()
    names = {0x22: '\\"', 0x5C: "\\\\", 0x0A: "\\n", 0x09: "\\t", 0x0D: "\\r"}
    inner = "".join(names.get(b, chr(b) if 0x20 <= b < 0x7F else "\\x%02x" % b) for b in word)
    return '"' + inner + '"'


def c_line(line):
    """A line of output as a script records it: as it is, or as a C string."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        text = None
    if text is not None and not re.search("[\x00-\x08\x0a-\x1f\x7f]", text):
        return text
    names = {0x22: '\\"', 0x5C: "\\\\", 0x09: "\\t", 0x0D: "\\r"}
    out, text = "", line.decode("utf-8", "surrogateescape")
    for ch in text:
        if 0xDC80 <= ord(ch) <= 0xDCFF:
            out += "\\x%02x" % (ord(ch) - 0xDC00)
        elif ord(ch) in names:
            out += names[ord(ch)]
        elif ord(ch) < 0x20 or ord(ch) == 0x7F:
            out += "\\x%02x" % ord(ch)
        else:
            out += ch
    return '"' + out + '"'
