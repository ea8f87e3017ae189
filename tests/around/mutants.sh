#!/bin/sh
# The rules of src/check can fail: mistakes of one line in the engine, each found by a rule within 10,000 seeds.
cd "$(dirname "$0")/../.." || exit 1
[ -e build/libetcdscope.a ] || { echo 'build/libetcdscope.a is not there'; exit 77; }
exec sh tests/check/mutants.sh
