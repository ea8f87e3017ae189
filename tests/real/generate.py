"""Random scripts for one member: what people type, what they mistype, and what nobody would type."""

import random

from scope import Command, quote

KEYS = [b"a", b"b", b"c", b"aa", b"ab", b"b/1", b"b/2", b"b/", b"/registry/pods/default/web-1", b"\xff", b"z\xff", b"k 1"]
ODD_KEYS = [b"", b"\xc3\xbc", b"\x01\x7f", b"<&>", b'q"q', b"'s", b"\\", b"\xff\xff", b"a\n", b"0"]
VALUES = [b"1", b"2", b"10", b"v", b"w", b"", b"a b", b"\xff\x00"[:1], b"line\nline", b"<v>", b"\xe2\x82\xac", b"\t", b'"', b"-"]
NUMBERS = ["0", "1", "2", "3", "5", "10", "-1", "+2", "0x3", "0b11", "017", "0o7", "1_0", "08", "9223372036854775807",
           "9223372036854775808", "-9223372036854775808", "1e3", "abc", "1.5", "'' ".strip(), "' 1'", "0x", "1__0", "99"]
FORMS = ["json", "fields", "simple", "table"]
BAD_FLAGS = ["--foo", "--foo=1", "-x", "--rev", "--prefix=maybe", "--=1", "---x", "-w", "--limit=", "--hex=2", "--write-out=xml", "-w=json",
             "-wjson", "--prefix=T", "--prev-kv=0", "--keys-only=false", "-", "--command-timeout=x", "--command-timeout=10s",
             "--command-timeout=1m1.5s", "--command-timeout=5", "--dial-timeout=3s", "--command-timeout=9x", "--command-timeout=-", "--command-timeout=1.", "--command-timeout=+6.5s", "--command-timeout=.s", "--debug=f", "-zq", "-wfields"]


class Generator:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.revision, self.granted, self.watches, self.open = 1, 0, 0, []

    def chance(self, p):
        return self.r.random() < p

    def pick(self, *some):
        return self.r.choice(some)

    # --- words

    def key(self):
        return self.r.choice(ODD_KEYS if self.chance(0.06) else KEYS)

    def value(self):
        if self.chance(0.01):
            return b"x" * self.r.choice([100, 1000, 70000])
        return self.r.choice(VALUES)

    def word(self, b):
        return quote(b)

    def number(self):
        if self.chance(0.12):
            return self.r.choice(NUMBERS)
        return str(self.r.randint(0, self.revision + 2))

    def lease(self):
        if self.chance(0.08):
            return self.pick("0", "zz", "-1", "99", "7fffffffffffffff", "8000000000000000", "''", "0x1", "00")
        return "%x" % self.r.randint(1, max(1, self.granted))

    def common(self, flags):
        if self.chance(0.3):
            flags.append("-w " + self.r.choice(FORMS[:3]) if self.chance(0.8) else "--write-out=" + self.r.choice(FORMS))
        if self.chance(0.06):
            flags.append("--hex")
        if self.chance(0.05):
            flags.append(self.r.choice(BAD_FLAGS))
        return flags

    def line(self, name, args, flags, text=quote):
        """Flags anywhere among the arguments; behind -- sometimes."""
        parts = [text(a) for a in args]
        if any(p.startswith("-") for p in parts) and self.chance(0.7):
            parts.insert(0, "--")
            return " ".join([name] + flags + parts)
        for f in flags:
            parts.insert(self.r.randint(0, len(parts)), f)
        return " ".join([name] + parts)

    # --- the parts of get, put and del, which are lines of transactions too

    def get_parts(self):
        flags, args = [], [self.key()]
        if self.chance(0.25):
            args.append(self.key())
        elif self.chance(0.4):
            flags.append(self.pick("--prefix", "--prefix", "--from-key"))
        if self.chance(0.02):
            args.append(self.key())
        if self.chance(0.02):
            args = []
        for p, f in ((0.2, lambda: "--rev=" + self.number()), (0.15, lambda: "--limit=" + self.number()),
                     (0.12, lambda: "--keys-only"), (0.05, lambda: "--print-value-only"),
                     (0.2, lambda: "--order=" + self.pick("ASCEND", "DESCEND", "descend", "Ascend", "X", "")),
                     (0.2, lambda: "--sort-by=" + self.pick("CREATE", "KEY", "MODIFY", "VALUE", "VERSION", "key", "X", "")),
                     (0.06, lambda: "--consistency=" + self.pick("l", "s", "x", "")), (0.02, lambda: "--from-key")):
            if self.chance(p):
                flags.append(f())
        return args, flags

    def put_parts(self):
        flags, args = [], [self.key(), self.value()]
        for p, f in ((0.15, lambda: "--lease=" + self.lease()), (0.12, lambda: "--prev-kv"),
                     (0.06, lambda: "--ignore-lease"), (0.02, lambda: "--ignore-value")):
            if self.chance(p):
                flags.append(f())
        if self.chance(0.06):
            args.pop()
            if self.chance(0.7):
                flags.append("--ignore-value")
        if self.chance(0.02):
            args.append(self.value())
        if self.chance(0.01):
            args = []
        return args, flags

    def del_parts(self):
        flags, args = [], [self.key()]
        if self.chance(0.2):
            args.append(self.key())
        elif self.chance(0.25):
            flags.append(self.pick("--prefix", "--prefix", "--from-key"))
        if self.chance(0.3):
            flags.append("--prev-kv")
        if self.chance(0.02):
            args.append(self.key())
        if self.chance(0.02):
            args = []
        return args, flags

    def get(self):
        args, flags = self.get_parts()
        return Command(self.line("get", args, self.common(flags)))

    def put(self):
        args, flags = self.put_parts()
        self.revision += 1
        return Command(self.line("put", args, self.common(flags)))

    def delete(self):
        args, flags = self.del_parts()
        self.revision += 1
        return Command(self.line("del", args, self.common(flags)))

    # --- transactions

    def go_word(self, b):
        """A word in a line of a transaction: as it is, or as Go quotes it."""
        plain = b and all(0x21 <= c < 0x7F and c not in b"\"'\\" for c in b)
        if plain and self.chance(0.7):
            return b.decode()
        names = {0x22: '\\"', 0x5C: "\\\\", 0x0A: "\\n", 0x09: "\\t"}
        return '"' + "".join(names.get(c, chr(c) if 0x20 <= c < 0x7F else "\\x%02x" % c) for c in b) + '"'

    def compare(self):
        target = self.pick("ver", "version", "mod", "create", "val", "value", "c", "m", "mod", "create", "version", "value", "val")
        if self.chance(0.04):
            target = self.pick("foo", "Mod", "", "values", "modify")
        op = self.pick("=", "=", "=", "!=", "<", ">")
        value = self.value() if target.startswith("val") else self.number().strip("'").encode()
        key = '"%s"' % self.go_word(self.key()).strip('"')
        right = self.go_word(value)
        if not right.startswith('"'):
            right = '"%s"' % right if not self.chance(0.03) else right
        gap = self.pick(" ", " ", " ", "", "  ")
        line = "%s(%s)%s%s%s%s" % (target, key, gap, op, self.pick(" ", " ", gap), right)
        if self.chance(0.03):
            line = line[: self.r.randint(1, len(line))]
        if "'" in line or any(o in line for o in ("==", "=!", "<=", ">=")):
            return 'mod("a") = "0"'
        return line

    def operation(self):
        name = self.pick("get", "put", "put", "del")
        args, flags = {"get": self.get_parts, "put": self.put_parts, "del": self.del_parts}[name]()
        if self.chance(0.02):
            flags.append(self.r.choice(BAD_FLAGS))
        if self.chance(0.02):
            name = self.pick("foo", "txn", "range", "PUT", "compact")
        line = self.line(name, args, flags, self.go_word)
        return line if "'" not in line and "@" not in line else "get a"

    def txn(self):
        block = [self.compare() for _ in range(self.pick(0, 0, 1, 1, 1, 2, 3))] + [""]
        block += [self.operation() for _ in range(self.pick(0, 1, 1, 2, 3, 5))] + [""]
        block += [self.operation() for _ in range(self.pick(0, 0, 1, 1, 2))]
        while block and block[-1] == "" and self.chance(0.1):
            block.pop()
        block = [line if line.strip() or line == "" else "" for line in block]
        flags = ["-w " + self.r.choice(FORMS)] if self.chance(0.3) else []
        if self.chance(0.04):
            flags.append(self.r.choice([f for f in BAD_FLAGS if f not in ("-w", "--rev", "-")]))
        self.revision += 1
        return Command(" ".join(["txn"] + flags), block)

    # --- the others

    def compact(self):
        args = [self.number()] if self.chance(0.97) else self.pick([], ["1", "2"])
        flags = ["--physical"] if self.chance(0.3) else []
        return Command(" ".join([self.pick("compact", "compaction")] + args + self.common(flags)))

    def lease_command(self):
        what = self.pick("grant", "grant", "revoke", "timetolive", "timetolive", "list", "keep-alive")
        if what == "grant":
            ttl = str(self.r.randint(60, 600))
            if self.chance(0.1):
                ttl = self.pick("0", "-1", "9000000001", "abc", "0x40", "+70", "''", "9223372036854775808", "070", "1_00")
            flags = self.common([])
            self.granted += 1
            return Command(" ".join(["lease grant", ttl] + (["80"] if self.chance(0.03) else []) + flags))
        if what == "list":
            return Command(" ".join(["lease list"] + (["x"] if self.chance(0.03) else []) + self.common([])))
        args = [self.lease()] if self.chance(0.96) else self.pick([], ["1", "2"])
        flags = {"revoke": [], "timetolive": ["--keys"] if self.chance(0.6) else [], "keep-alive": ["--once"]}[what]
        if what == "revoke":
            self.revision += 1
        return Command(" ".join(["lease " + what] + args + self.common(flags)))

    def watch(self):
        if len(self.open) > 3:
            return self.unwatch()
        flags, args = [], [self.key()]
        if self.chance(0.2):
            args.append(self.key())
        if self.chance(0.5):
            flags.append("--prefix")
        if self.chance(0.4):
            flags.append("--prev-kv")
        if self.chance(0.5):
            flags.append("--rev=" + str(self.r.randint(0, self.revision + 2)))
        if self.chance(0.04):
            flags.append(self.pick("--foo", "--rev=x", "--limit=3", "--prev-kv=no", "--rev=0x2"))
        self.watches += 1
        self.open.append(self.watches)
        return Command(self.line("watch", args, flags))

    def unwatch(self):
        if not self.open:
            return self.get()
        w = self.r.choice(self.open)
        self.open.remove(w)
        return Command("unwatch w%d" % w)

    def look(self):
        line = self.pick("version", "member list", "member list -w json", "member list -w fields", "alarm list", "alarm list -w json",
                         "alarm list -w fields", "endpoint health", "endpoint status", "endpoint status -w json",
                         "endpoint status -w fields", "defrag", "alarm list x", "member list x", "endpoint hashkv x",
                         "member list -w table", "endpoint status --cluster -w simple", "alarm disarm", "alarm list -w table",
                         "move-leader zz", "move-leader 8211f1d0f64f3269", "move-leader 8211f1d0f64f3269 -w " + self.r.choice(FORMS), "move-leader", "member remove zz", "member update 1", "member promote 1234",
                         "member add", "member remove", "lease", "endpoint health -w json", "put", "txn x\nend",
                         "compact", "lease grant", "del", "get", "watch", "defrag x", "version x", "endpoint status x", "endpoint hashkv", "endpoint hashkv -w json", "endpoint health -w fields", "endpoint hashkv -w fields",
                         "endpoint hashkv -w table", "defrag --cluster", "endpoint hashkv --rev=%d" % self.r.randint(1, self.revision + 2),
                         "version -w json", "help " + self.pick("get", "del", "txn", "compaction", "watch", "lease grant", "lease keep-alive", "lease list",
                                                                     "lease revoke", "lease timetolive", "endpoint health", "endpoint hashkv",
                                                                     "member add", "member remove", "member update", "move-leader",
                                                                     "alarm list", "lock", "elect", "version"), "defrag -w json", "endpoint health --cluster", "version --foo", "endpoint hashkv --cluster")
        if line.startswith("txn"):
            return Command("txn x", [])
        if line.startswith("alarm disarm") or line == "lease":
            line = "alarm list"
        return Command(line)

    def script(self, n):
        kinds = [(30, self.put), (26, self.get), (10, self.delete), (14, self.txn), (3, self.compact),
                 (9, self.lease_command), (5, self.watch), (2, self.unwatch), (3, self.look)]
        weights = [k[0] for k in kinds]
        return [self.r.choices(kinds, weights)[0][1]() for _ in range(n)]


def script(seed, n):
    return Generator(seed).script(n)
