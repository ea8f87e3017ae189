"""A throw-away etcd with one member on loopback, and a script run on it through etcdctl.

What is made the same in the output is what conformance/README.md, "What was made the same in every recording", says:
ids of leases and members, the term, log lines, and the usage that follows a refused flag.
"""

import base64
import json
import os
import random
import re
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import urllib.request

import scope

CLUSTER, MEMBER = 17237436991929493444, 9372538179322589801
PATIENCE = 3.0  # seconds for events that the other side has seen


def free_port(low, high):
    """Of as many digits as the port in the recorded output: columns of tables are as wide."""
    while True:
        port = random.randint(low, high)
        with socket.socket() as s:
            try:
                s.bind(("127.0.0.1", port))
                return port
            except OSError:
                pass


class Member:
    """An etcd of its own: start() returns at once, wait() when it serves."""

    def __init__(self):
        shm = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.dir = tempfile.mkdtemp(prefix="etcdscope-real-", dir=shm)
        self.port, self.peer = free_port(2380, 9999), free_port(12380, 30000)
        self.endpoint = "127.0.0.1:%d" % self.port
        client, peers = "http://" + self.endpoint, "http://127.0.0.1:%d" % self.peer
        args = ["--name=S1", "--data-dir=" + self.dir + "/data", "--listen-client-urls=" + client]
        args += ["--advertise-client-urls=" + client, "--listen-peer-urls=" + peers]
        args += ["--initial-advertise-peer-urls=" + peers, "--initial-cluster=S1=" + peers, "--log-level=error"]
        self.process = subprocess.Popen(["etcd"] + args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.env = dict(os.environ, ETCDCTL_API="3", ETCDCTL_ENDPOINTS=self.endpoint)

    def post(self, path, body):
        request = urllib.request.Request("http://%s%s" % (self.endpoint, path), json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=5) as answer:
            return json.load(answer)

    def wait(self):
        for _ in range(400):
            try:
                status = self.post("/v3/maintenance/status", {})
                if int(status.get("leader", 0)) and int(status["raftIndex"]) >= 4:
                    self.cluster, self.id = int(status["header"]["cluster_id"]), int(status["header"]["member_id"])
                    self.index = int(status["raftIndex"])
                    return self
            except OSError:
                pass
            time.sleep(0.02)
        raise RuntimeError("etcd does not start")

    def metric(self, name):
        with urllib.request.urlopen("http://%s/metrics" % self.endpoint, timeout=5) as answer:
            text = answer.read().decode()
        return int(re.search(r"^etcd_debugging_mvcc_%s (\d+)" % name, text, re.M).group(1))

    def stop(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.dir, ignore_errors=True)


def put_word(b):
    plain = b and all(0x21 <= c <= 0x7E for c in b) and not b.startswith(b'"')
    if plain:
        return b.decode()
    names = {0x22: '\\"', 0x5C: "\\\\", 0x0A: "\\n", 0x09: "\\t", 0x0D: "\\r"}
    return '"' + "".join(names.get(c, chr(c) if 0x20 <= c <= 0x7E else "\\x%02x" % c) for c in b) + '"'


class Watch:
    """`etcdctl watch -w json`, its events as lines of a script."""

    def __init__(self, member, argv, number):
        self.number, self.lines, self.taken, self.errors, self.revision = number, [], 0, [], 0
        self.process = subprocess.Popen(["etcdctl", "-w", "json"] + argv, env=member.env,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.threads = [threading.Thread(target=t, daemon=True) for t in (self.read_events, self.read_errors)]
        for t in self.threads:
            t.start()

    def read_events(self):
        for line in self.process.stdout:
            if not line.startswith(b'{"Header"'):
                continue
            answer = json.loads(line)
            self.revision = answer.get("CompactRevision", 0)
            self.lines += [self.event(e) for e in answer.get("Events") or []]

    def read_errors(self):
        for line in self.process.stderr:
            if not line.startswith(b'{"level":'):
                self.errors.append(line.decode("utf-8", "surrogateescape").rstrip("\n"))

    def event(self, e):
        kv, field = e["kv"], lambda d, k: base64.b64decode(d.get(k, ""))
        gone = e.get("type", 0) in (1, "DELETE")
        text = "%s %s" % ("DELETE" if gone else "PUT", put_word(field(kv, "key")))
        if gone:
            text += " (mod %d" % kv["mod_revision"]
        else:
            numbers = (kv["create_revision"], kv["mod_revision"], kv["version"], kv.get("lease", 0))
            text += " %s (create %d mod %d version %d lease %d" % ((put_word(field(kv, "value")),) + numbers)
        if "prev_kv" in e:
            text += " prev " + put_word(field(e["prev_kv"], "value"))
        return text + ")"

    def ended(self):
        if self.process.poll() is None:
            return False
        for t in self.threads:
            t.join(5)
        return True

    def canceled(self):
        """The line that tells of its end; "": it has not been canceled."""
        for line in self.errors if self.ended() else []:
            m = re.fullmatch(r"watch was canceled \((.*)\)", line)
            if m:
                return "canceled: %s (compact_revision %d)" % (m.group(1), self.revision)
        return ""

    def take(self):
        """Lines that have come in since."""
        end = self.canceled()
        lines = self.lines[self.taken:]
        self.taken += len(lines)
        if end and not getattr(self, "told", False):
            self.told = True
            lines.append(end)
        return ["w%d: %s" % (self.number, line) for line in lines]

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for t in self.threads:
            t.join(5)
        self.process.stdout.close()
        self.process.stderr.close()


class Run:
    """One script on one member."""

    def __init__(self, member):
        self.member, self.leases, self.watches = member, {}, []
        self.begin = time.time()  # real time passes between commands

    # --- ids of leases: the n-th that is granted is n

    def real_lease(self, text):
        if not re.fullmatch(rb"[+]?[0-9a-fA-F]+", text):
            return text
        for real, n in self.leases.items():
            if n == int(text, 16):
                return b"%x" % real
        return text

    def real_words(self, words):
        out, lease = [], words[0] == b"lease" and len(words) > 1 and not words[1].startswith(b"g")
        for i, w in enumerate(words):
            if w.startswith(b"--lease="):
                w = b"--lease=" + self.real_lease(w[8:])
            elif i > 0 and words[i - 1] == b"--lease" or (lease and i > 1):
                w = self.real_lease(w)
            if w.startswith(b"--endpoints="):
                w = w.replace(b"127.0.0.1:2379", self.member.endpoint.encode())
            out.append(b"%x" % self.member.id if w == b"%x" % MEMBER else w)
        return out

    def real_line(self, line):
        line = scope.expand_repeat(line)
        line = re.sub(r"(--lease[= ]\"?)([0-9a-fA-F]+)", lambda m: m.group(1) + self.real_lease(m.group(2).encode()).decode(), line)
        return line

    def learn_leases(self):
        answer = self.member.post("/v3/lease/leases", {})
        for lease in answer.get("leases", []):
            real = int(lease["ID"])
            if real not in self.leases:
                self.leases[real] = len(self.leases) + 1

    # --- what is made the same

    def normal(self, text):
        member = self.member
        for real, n in self.leases.items():
            text = re.sub(rb'(--lease[= ]"?)0*%x' % real, rb"\g<1>%x" % n, text)  # a line that is told again
            text = text.replace(b"/%x" % real, b"/%x" % n)  # the key of a lock
            text = text.replace(b"%016x" % real, b"%016x" % n).replace(b"%d" % real, b"%d" % n)
        text = text.replace(b"%d" % member.cluster, b"%d" % CLUSTER).replace(b"%d" % member.id, b"%d" % MEMBER)
        text = text.replace(b"%x" % member.id, b"%x" % MEMBER).replace(b"127.0.0.1:%d" % member.port, b"127.0.0.1:2379")
        text = text.replace(b"127.0.0.1:%d" % member.peer, b"127.0.0.1:12380")
        text = re.sub(rb'("raft_term":|"RaftTerm" : |"raftTerm":)2\b', rb"\g<1>1", text)
        lines = [l for l in text.split(b"\n") if not l.startswith(b'{"level":')]
        errors = [l for l in lines if l.startswith(b"Error: ")]
        panics = [l for l in lines if l.startswith(b"panic: ")]
        if panics:
            lines = panics[:1]
        elif errors and any(l in (b"USAGE:", b"Usage:") for l in lines):
            # What a transaction printed before the refused line (its compares print nothing) is no usage.
            lines = errors[-1:]
        return lines

    # --- running

    def etcdctl(self, command):
        words = self.real_words(scope.words(command.line))
        stdin = None
        if words[0] == b"put" and max(map(len, words)) > 100000:  # too long for an argument
            stdin = max(words, key=len)
            words.remove(stdin)
        if command.block is not None:
            block = "".join(self.real_line(l) + "\n" for l in command.block)
            # `end` stands for the empty line that ends the last part, and the end of the input
            stdin = (block + "\n").encode("utf-8", "surrogateescape")
        env = dict(self.member.env)
        if any(w.startswith(b"--endpoints") for w in words):
            del env["ETCDCTL_ENDPOINTS"]  # etcdctl refuses both
        try:
            done = subprocess.run([b"etcdctl"] + words, env=env, cwd=self.member.dir, input=stdin or b"", timeout=30,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            text = done.stdout
        except subprocess.TimeoutExpired as e:
            text = (e.stdout or b"") + b"(no end after 30 s)\n"
        if words[0] in (b"lease", b"lock"):
            self.learn_leases()
        lines = self.normal(text)
        if lines and lines[-1] == b"":
            lines.pop()
        return [scope.c_line(l) for l in lines]

    def watch(self, command):
        before = self.member.metric("watcher_total")
        watch = Watch(self.member, self.real_words(scope.words(command.line)), 1 + len(self.watches))
        until = time.time() + 10
        while time.time() < until and not watch.ended() and self.member.metric("watcher_total") <= before:
            time.sleep(0.005)
        # One that begins in the past must have caught up before the next command.
        while time.time() < until and not watch.ended() and self.member.metric("slow_watcher_total"):
            time.sleep(0.005)
        if watch.ended() and not watch.canceled():
            lines = self.normal("\n".join(watch.errors).encode("utf-8", "surrogateescape"))
            return [scope.c_line(l) for l in lines if l.startswith(b"Error: ")][-1:]
        self.watches.append(watch)
        if re.search(r"code = (InvalidArgument|PermissionDenied) ", watch.canceled()):
            return []  # refused for its user: none was there
        return ["watch w%d created" % watch.number]

    def one(self, command, expected):
        """Runs a command; expected: how many lines of watches the other side printed below it.

        None: there is nothing to compare (a watch that both sides refused is to end)."""
        words = command.line.split()
        if words[0] == "wait":
            seconds = re.sub(r"s$", "", words[1])
            time.sleep(float(seconds[:-1]) / 1000 if seconds.endswith("m") else float(seconds))
            out = []
        elif words[0] == "unwatch":
            number = int(words[1][1:])
            if number > len(self.watches) or self.watches[number - 1].ended():
                return None
            self.watches[number - 1].stop()
            out = []
        elif words[0] == "watch":
            out = self.watch(command)
        else:
            out = self.etcdctl(command)
        events, until = [], time.time() + PATIENCE
        while True:
            events += [l for w in self.watches for l in w.take()]
            if len(events) >= expected or time.time() > until:
                break
            time.sleep(0.002)
        events.sort(key=lambda l: int(l[1:l.index(":")]))
        return out + [scope.c_line(self.watch_line(l)) for l in events]

    def watch_line(self, line):
        for real, n in self.leases.items():
            line = line.replace("lease %d" % real, "lease %d" % n).replace("/%x" % real, "/%x" % n)
        return line.encode("utf-8", "surrogateescape")

    def close(self):
        for w in self.watches:
            w.stop()
