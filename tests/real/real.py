#!/usr/bin/env python3
"""Scripts on a real etcd and on etcdscope, side by side; every difference is shown.

usage: real.py [options] FILE...     scripts for one member; those that need more are left out
       real.py [options] --random N  N random commands, in scripts of 40; a difference is made small

  --etcdscope=PATH  the program (build/etcdscope)
  --seed=N          where the random scripts begin (1)
  --time=SECONDS    no new script after that
  --keep=DIR        small scripts that differ are written there

Exit status 1: something differed; 77: there is no etcd here.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import generate
import scope
from member import Member, Run

ETCDCTL = {"put", "get", "del", "txn", "compact", "compaction", "watch", "unwatch", "wait", "lease", "version",
           "alarm", "member", "endpoint", "defrag", "move-leader", "help", "user", "role", "auth"}
PER_SCRIPT = 40


class Pair:
    """Both sides of a comparison.  The next member starts while the present one works."""

    def __init__(self, etcdscope):
        self.etcdscope, self.next = etcdscope, Member()
        self.dir = tempfile.mkdtemp(prefix="etcdscope-real-")
        self.commands = self.panics = 0

    def close(self):
        self.next.stop()
        shutil.rmtree(self.dir, ignore_errors=True)

    def ours(self, commands):
        path = os.path.join(self.dir, "script.scope")
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as f:
            f.write(scope.write(commands))
        done = subprocess.run([self.etcdscope, "run", "--members=1", "--transcript", path],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        text = done.stdout.decode("utf-8", "surrogateescape")
        said = [c.output for c in scope.read(text)] if done.returncode == 0 else [["(exit %d) " % done.returncode + text]]
        return said + [["(missing)"]] * (len(commands) - len(said))

    def first_difference(self, commands):
        """Index, ours, theirs of the first command whose output differs; None: there is none."""
        ours = self.ours(commands)
        member, self.next = self.next.wait(), Member()
        while member.id >> 60 == 0:  # an id of fewer digits makes narrower tables
            member.stop()
            member = Member().wait()
        run = Run(member)
        try:
            for i, c in enumerate(commands):
                expected = sum(1 for l in ours[i] if re.match(r'"?w\d+: ', l))
                theirs = run.one(c.real or c, expected)
                self.commands += 1
                if theirs is None:
                    continue
                if any(l.startswith("panic: ") for l in theirs):
                    self.panics += 1  # etcdctl's flaw; README, "Where etcdscope does better on purpose"
                elif not same(ours[i], theirs, run, c):
                    return i, ours[i], theirs
        finally:
            run.close()
            member.stop()
        return None


LEFT = (r"remaining\((-?\d+)s\)", r'"ttl":(-?\d+)', r'"TTL" : (-?\d+)')


def looks(line, index):
    """A line without what two clusters need not share: sizes, durations, hashes; index: of the fresh member."""
    line = re.sub(r"took = \S+", "took = 0s", line)
    line = re.sub(r'"took":"[^"]+"', '"took":"0s"', line)
    line = re.sub(r'"Took" : \S+', '"Took" : 0s', line)
    line = re.sub(r"\d+(\.\d)? [kM]?B, ", "SIZE, ", line)
    line = re.sub(r'("(dbSize|dbSizeInUse)":|"(DBSize)" : )\d+', r"\1N", line)
    line = re.sub(r'("(?:raftIndex|raftAppliedIndex)":|"(?:RaftIndex|RaftAppliedIndex)" : )(\d+)',
                  lambda m: m.group(1) + str(int(m.group(2)) - index), line)
    line = re.sub(r"(\| +)\d+(\.\d)? [kM]?B \|", "| SIZE |", line)
    line = re.sub(r"((?:true|false) \| +(?:true|false) \| +)\d+ \| +(\d+) \| +(\d+) \|",
                  lambda m: m.group(1) + "1 | %d | %d |" % (int(m.group(2)) - index, int(m.group(3)) - index), line)
    return re.sub(r"((?:true|false), (?:true|false), )\d+, (\d+), (\d+), ",
                  lambda m: m.group(1) + "1, %d, %d, " % (int(m.group(2)) - index, int(m.group(3)) - index), line)


def same(ours, theirs, run, command):
    if run.leases and "hashkv" in command.line:  # rows hold the ids of leases, which real etcd draws
        ours, theirs = ([re.sub(r" *\b(\d{4,10}|HASH)\b *|-----*", "HASH", l) for l in lines] for lines in (ours, theirs))
    if "endpoint health" in command.line:  # the column of durations; etcdctl's endpoints come as they answer
        ours, theirs = ([re.sub(r"took = \S+", "took = 0s", l) for l in lines] for lines in (ours, theirs))
        if "-w" not in command.line:
            ours, theirs = sorted(ours), sorted(theirs)
        ours, theirs = ([re.sub(r" *\b\d+(\.\d+)?[mµ]?s \||-----*| +TOOK +", "TOOK", l) for l in lines] for lines in (ours, theirs))
    if command.line.startswith("lease"):
        ours, theirs = sorted_key_lines(ours), sorted_key_lines(theirs)
    if theirs[:1] == ["NAME:"]:  # help: ours says more below etcdctl's
        ours = ours[: len(theirs)]
    if len(ours) != len(theirs):
        return False
    for a, b in zip(ours, theirs):
        a, b = looks(a, 1), looks(b, run.member.index)
        if a == b:
            continue
        if sorted_keys(a) == sorted_keys(b):
            continue
        for pattern in LEFT:
            x, y = re.search(pattern, a), re.search(pattern, b)
            if x and y and abs(int(x.group(1)) - int(y.group(1))) <= 1 + time.time() - run.begin:
                b = b[: y.start(1)] + x.group(1) + b[y.end(1):]
        if sorted_keys(a) != sorted_keys(b):
            return False
    return True


def sorted_key_lines(lines):
    keys = sorted(l for l in lines if l.startswith('"Key" : '))
    return [keys.pop(0) if l.startswith('"Key" : ') else l for l in lines]


def sorted_keys(line):
    """The keys of a lease have no fixed order in etcd."""
    m = re.search(r"attached keys\(\[(.*)\]\)", line)
    if m:
        line = line[: m.start(1)] + " ".join(sorted(m.group(1).split(" "))) + line[m.end(1):]
    m = re.search(r'"keys":\[(.*?)\]', line)
    if m:
        line = line[: m.start(1)] + ",".join(sorted(m.group(1).split(","))) + line[m.end(1):]
    return line


def minimise(pair, commands, found):
    """Leaves out what is not needed for a difference in the last command."""
    commands, size = commands[: found[0] + 1], max(1, found[0] // 2)
    while size:
        at = 0
        while at < len(commands) - 1:
            fewer = commands[:at] + commands[min(at + size, len(commands) - 1):]
            other = pair.first_difference(fewer) if len(fewer) < len(commands) else None
            if other:
                commands, found = fewer[: other[0] + 1], other
            else:
                at += size
        size //= 2
    return commands, found


def show(title, commands, found):
    print("--- " + title)
    print(scope.write(commands[: found[0] + 1]), end="")
    for name, lines in (("etcdscope", found[1]), ("etcd", found[2])):
        print("  %s:" % name)
        for l in lines:
            print("    | " + (l if len(l) < 2000 else l[:2000] + "..."))
    sys.stdout.flush()


def single(path):
    """The commands of a script that one real member understands; None: it needs more."""
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        commands = scope.read(f.read())
    lines = [c.line for c in commands]
    if any(l.split()[0] not in ETCDCTL or "--endpoints" in l or l.endswith("&") or " | " in l or "\\x00" in l for l in lines):
        return None
    # One-line transactions, and commands of watches, are not what etcdctl understands by them.
    if any(c.line.startswith("txn") and c.block is None or c.line.startswith("watch") and " -- " in c.line for c in commands):
        return None
    return commands


def run_files(pair, paths, until):
    differ = ran = left_out = 0
    for path in paths:
        commands = single(path)
        if commands is None:
            left_out += 1
            continue
        if time.time() > until:
            print("stopped after %d scripts: the time is over" % ran)
            break
        ran += 1
        found = pair.first_difference(commands)
        if found:
            differ += 1
            show(path, [commands[found[0]]], (0,) + found[1:])
    print("%d scripts, %d commands, %d scripts differ, %d left out (not for one member, or commands of etcdscope's own)" %
          (ran, pair.commands, differ, left_out))
    return differ


def run_random(pair, n, seed, until, keep):
    differ = done = 0
    first = seed
    while done < n and time.time() < until:
        commands = generate.script(seed, min(PER_SCRIPT, n - done))
        found = pair.first_difference(commands)
        done += len(commands)
        if found:
            differ += 1
            commands, found = minimise(pair, commands, found)
            show("seed %d" % seed, commands, found)
            if keep:
                with open(os.path.join(keep, "seed-%d.scope" % seed), "w", encoding="utf-8", errors="surrogateescape") as f:
                    f.write(scope.write(commands))
        seed += 1
    print("%d random commands in %d scripts (seeds %d to %d), %d scripts differ, %d times etcdctl itself crashed" %
          (done, seed - first, first, seed - 1, differ, pair.panics))
    return differ


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--time", type=float, default=1e9)
    parser.add_argument("--etcdscope", default="build/etcdscope")
    parser.add_argument("--keep")
    args = parser.parse_args()
    for tool in ("etcd", "etcdctl"):
        if not shutil.which(tool):
            print("%s is not installed (Debian: etcd-server, etcd-client)" % tool)
            return 77
    version = subprocess.run(["etcdctl", "version"], env=dict(os.environ, ETCDCTL_API="3"), stdout=subprocess.PIPE).stdout
    if b"etcdctl version: 3.4." not in version:
        print("etcdctl is not of 3.4, which is what these scripts are compared with")
        return 77
    pair = Pair(args.etcdscope)
    try:
        until = time.time() + args.time
        differ = run_files(pair, args.files, until) if args.files else 0
        if args.random:
            differ += run_random(pair, args.random, args.seed, until, args.keep)
    finally:
        pair.close()
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
