#!/bin/sh
# Every mistake that `bug` knows is found by the rule that it names, in a script and within 10,000 seeds.
cd "$(dirname "$0")/../.." || exit 1
[ -x build/etcdscope ] || { echo 'build/etcdscope is not there'; exit 77; }
exec sh tests/check/bugs.sh
