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
             "--write-out", "--write-out=JSON", "-w=", "--hex=maybe", "--no-hex", "--count-only", "-hx", "--prefix=", "--prefix=TRUE",
             "--from-key=f", "--limit=0x2", "--limit=1.0", "--endpoints=", "--keepalive-time=1s", "--keepalive-timeout=2", "--lease",
             "--command-timeout=1m1.5s", "--command-timeout=5", "--dial-timeout=3s", "--command-timeout=9x", "--command-timeout=-", "--command-timeout=1.", "--command-timeout=+6.5s", "--command-timeout=.s", "--debug=f", "-zq", "-wfields"]


MEMBER = "8211f1d0f64f3269"
HELP = ["get", "put", "del", "txn", "compaction", "watch", "lease grant", "lease keep-alive", "lease list", "lease revoke",
        "lease timetolive", "endpoint health", "endpoint hashkv", "endpoint status", "member list", "member add", "member promote",
        "member remove", "member update", "move-leader", "alarm list", "alarm disarm", "lock", "elect", "version", "check perf",
        "check datascale", "snapshot save", "snapshot status", "auth enable", "auth disable", "user add", "user delete", "user get",
        "user list", "user passwd", "user grant-role", "user revoke-role", "role add", "role delete", "role get", "role list",
        "role grant-permission", "role revoke-permission"]
# What etcdctl takes for a name; watch and lease must be seen by the harness.
SHORT = {"get": ["ge", "g"], "put": ["pu", "p"], "txn": ["tx", "t"], "compaction": ["compac"], "version": ["ver"],
         "lease grant": ["lease gr", "lease g"], "lease timetolive": ["lease t"], "lease revoke": ["lease re"], "lease list": ["lease l"]}
USERS, ROLES, PASSWORDS = ["root", "root", "bob", "eve", "nobody"], ["root", "r1", "r2", "none"], ["pw", "pw", "pw", "x", "a:b"]


class Generator:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.revision, self.granted, self.watches, self.open = 1, 0, 0, []
        self.auth = self.chance(0.12)  # a script about users: each login takes etcd a while

    def chance(self, p):
        return self.r.random() < p

    def pick(self, *some):
        return self.r.choice(some)

    # --- words

    def key(self):
        if self.chance(0.01):
            return self.any_bytes()
        return self.r.choice(ODD_KEYS if self.chance(0.06) else KEYS)

    def any_bytes(self):
        return bytes(self.r.randint(1, 255) for _ in range(self.r.randint(1, 12)))

    def value(self):
        if self.chance(0.04):
            return self.any_bytes()
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
        if self.chance(0.02):
            flags.append("--endpoints=" + self.pick("127.0.0.1:2379", "http://127.0.0.1:2379", "127.0.0.1:2379,http://127.0.0.1:2379"))
        if self.auth and self.chance(0.8):
            flags += self.user()
        return flags

    def user(self):
        name, password = self.r.choice(USERS), self.r.choice(PASSWORDS)
        if self.chance(0.9):
            return ["--user=%s:%s" % (name, password)]
        return ["--user=" + name, "--password=" + password]

    def short(self, name):
        return self.r.choice(SHORT[name]) if name in SHORT and self.chance(0.05) else name

    def spelled(self, flag):
        """--flag=value as --flag value, -w json in its other forms."""
        if flag.startswith("-w ") and self.chance(0.3):
            return self.pick("-w", "-w=", "--write-out ", "--write-out=") + flag[3:]
        name, equals, value = flag.partition("=")
        takes = name in ("--rev", "--limit", "--order", "--sort-by", "--consistency", "--lease", "--user", "--password")
        return name + " " + (value or "''") if equals and takes and self.chance(0.15) else flag

    def line(self, name, args, flags, text=quote):
        """Flags anywhere among the arguments; behind -- sometimes."""
        parts, flags = [text(a) for a in args], [self.spelled(f) if text == quote else f for f in flags]
        name = self.short(name)
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

    def one_line(self, flags):
        """txn if COMPARE ... then OPERATION ... else OPERATION ..., which etcdctl types into a block."""
        some = lambda draw, n: [line for line in (draw() for _ in range(n)) if line.strip()]
        compares = some(self.compare, self.pick(1, 1, 2, 3))
        success, failure = some(self.operation, self.pick(0, 1, 1, 2)), some(self.operation, self.pick(0, 0, 1, 2))
        words = [" ".join(["if"] + [quote(c.encode()) for c in compares])] if compares else []
        words += [" ".join(["then"] + [quote(o.encode()) for o in success])] if success or not compares else []
        words += [" ".join(["else"] + [quote(o.encode()) for o in failure])] if failure else []
        line = " ".join(["txn"] + flags)
        return Command(line + " " + " ".join(words), None, Command(line, compares + [""] + success + [""] + failure))

    def txn(self):
        if self.chance(0.15):
            self.revision += 1
            return self.one_line(["-w " + self.r.choice(FORMS)] if self.chance(0.3) else [])
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
        if self.auth and self.chance(0.8):
            flags += self.user()
        return Command(" ".join([self.short("txn")] + [self.spelled(f) for f in flags]), block)

    # --- the others

    def compact(self):
        args = [self.number()] if self.chance(0.97) else self.pick([], ["1", "2"])
        flags = ["--physical"] if self.chance(0.3) else []
        return Command(" ".join([self.pick("compact", self.short("compaction"))] + args + self.common(flags)))

    def lease_command(self):
        what = self.pick("grant", "grant", "revoke", "timetolive", "timetolive", "list", "keep-alive")
        if what == "grant":
            ttl = str(self.r.randint(60, 600))
            if self.chance(0.1):
                ttl = self.pick("0", "-1", "9000000001", "abc", "0x40", "+70", "''", "9223372036854775808", "070", "1_00")
            flags = self.common([])
            self.granted += 1
            return Command(" ".join([self.short("lease grant"), ttl] + (["80"] if self.chance(0.03) else []) + flags))
        if what == "list":
            return Command(" ".join([self.short("lease list")] + (["x"] if self.chance(0.03) else []) + self.common([])))
        args = [self.lease()] if self.chance(0.96) else self.pick([], ["1", "2"])
        flags = {"revoke": [], "timetolive": ["--keys"] if self.chance(0.6) else [], "keep-alive": ["--once"]}[what]
        if what == "revoke":
            self.revision += 1
        return Command(" ".join([self.short("lease " + what)] + args + self.common(flags)))

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

    # --- users, roles, permissions

    def auth_command(self):
        user, role, form = self.r.choice(USERS), self.r.choice(ROLES), self.common([])
        if self.chance(0.5):
            form = ["--user=root:pw"]
        key = [self.word(self.key())]
        ranges = key + self.pick([], [], [self.word(self.key())], ["--prefix"], ["--from-key"], ["--prefix", "--from-key"])
        words = self.pick(
            ["user add %s:%s" % (user, self.r.choice(PASSWORDS))], ["user add " + user, "--new-user-password=pw"],
            ["user add " + user, "--no-password"], ["user add", ":pw"], ["user add " + user + ":pw", "--interactive=false"],
            ["user delete", user], ["user get", user], ["user get", user, "--detail"], ["user list"], ["user list", "x"],
            ["user passwd", user, "--interactive=false"], ["user grant-role", user, role], ["user grant-role", user, role],
            ["user revoke-role", user, role], ["user grant-role", user], ["role add", role], ["role add", role], ["role delete", role],
            ["role get", role], ["role list"], ["role add"], ["role get", "a", "b"],
            ["role grant-permission", role, self.pick("read", "write", "readwrite", "READ", "rw")] + ranges,
            ["role grant-permission", role, "readwrite"] + ranges, ["role grant-permission", role, "read"],
            ["role revoke-permission", role] + ranges, ["role revoke-permission", role] + ranges, ["role revoke-permission", role],
            ["auth enable"], ["auth enable"], ["auth disable"], ["auth enable", "x"])
        line = " ".join(words + form)
        if words[0] == "user passwd":  # here the line below is the password: none, as etcdctl finds its input empty
            return Command(line + "\n", None, Command(line))
        return Command(line)

    def begin_auth(self):
        """So that most of what follows has somebody to be."""
        lines = ["user add root:pw", "user add bob:pw", "role add r1", "role grant-permission r1 readwrite a c", "user grant-role bob r1"]
        return [Command(line) for line in lines + ["auth enable"]]

    # --- what looks, and what is wrong

    def lock(self):
        self.granted += 1
        self.revision += 2
        then = self.line(self.pick("get", "put"), [self.r.choice(KEYS[:5])] + [b"1"], [])
        return Command("lock %s etcdctl %s" % (self.pick("l", "m", "a/b"), then))

    def wrong(self):
        """Arguments that the command does not take."""
        name = self.pick("lock", "elect", "elect e", "member add", "member add x", "member add x y", "member remove", "member remove zz",
                         "member remove 1234", "member update", "member update 1 2", "member update 1234", "member update zz",
                         "member update 1234 --peer-urls=", "member update 1234 --peer-urls=http://127.0.0.1:99", "member promote",
                         "member promote zz", "member promote 1234", "member promote " + MEMBER, "member list x", "move-leader",
                         "move-leader zz", "move-leader 1 2", "move-leader " + MEMBER, "alarm list x", "alarm disarm x", "alarm disarm",
                         "endpoint health x", "endpoint status x", "endpoint hashkv x", "endpoint hashkv --rev=x", "defrag x",
                         "version x", "version --foo", "check perf --load=q", "snapshot save", "snapshot save a b", "snapshot status",
                         "snapshot status none.db", "lease grant", "lease grant x", "lease grant 1 2", "lease list x", "lease revoke",
                         "lease timetolive", "lease keep-alive --once", "compact", "compact x", "del", "get", "put", "watch", "txn x",
                         "elect --listen", "elect e v w", "lock --ttl=x l", "user", "role add", "auth enable x")
        if name == "user":
            name = "user list x"
        return Command(name + self.pick("", "", "", " -w json", " -w table", " -w fields"), [] if name == "txn x" else None)

    def look(self):
        line = self.pick("version", "version -w json", "member list", "alarm list", "endpoint health", "endpoint health --cluster",
                         "endpoint status", "endpoint status --cluster", "endpoint hashkv", "endpoint hashkv --cluster",
                         "endpoint hashkv --rev=%d" % self.r.randint(0, self.revision + 2), "defrag", "defrag --cluster", "alarm disarm",
                         "help", "--help", "move-leader " + MEMBER)
        if line == "help":
            return Command("help " + self.r.choice(HELP))
        if line == "--help":
            return Command(self.r.choice([h for h in HELP if h != "watch"]) + self.pick(" --help", " -h"))
        if self.chance(0.15):
            line += " --endpoints=" + self.pick("127.0.0.1:2379", "127.0.0.1:2379,http://127.0.0.1:2379")
        if self.auth and self.chance(0.7):
            line += " " + " ".join(self.user())
        return Command(line + (" -w " + self.r.choice(FORMS) if self.chance(0.5) else ""))

    def script(self, n):
        kinds = [(30, self.put), (26, self.get), (10, self.delete), (14, self.txn), (3, self.compact),
                 (9, self.lease_command), (5, self.watch), (2, self.unwatch), (3, self.look), (2, self.wrong), (0.5, self.lock)]
        if self.auth:
            kinds += [(45, self.auth_command)]
        weights = [k[0] for k in kinds]
        begin = self.begin_auth() if self.auth else []
        return (begin + [self.r.choices(kinds, weights)[0][1]() for _ in range(n - len(begin))])[:n]


def script(seed, n):
    return Generator(seed).script(n)
