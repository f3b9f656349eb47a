#!/bin/bash
# Fuzz.
#
#   tests/fuzz/run.sh SECONDS PROGRAM...     PROGRAM is .../run_X
#
# New inputs go to build/fuzz/corpus/X; an input that crashes is left in
# build/fuzz/crash/ and belongs into tests/fuzz/corpus/X with its fix.
set -u
seconds=$1
shift
cd "$(dirname "$0")/../.." || exit 1
status=0
for t in "$@"; do
    x=${t##*/run_}
    found=build/fuzz/corpus/$x crash=build/fuzz/crash/$x-
    mkdir -p "$found" build/fuzz/crash build/log
    seeds=
    [ -d "tests/fuzz/corpus/$x" ] && seeds=tests/fuzz/corpus/$x
    if "$t" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
        -artifact_prefix="$crash" "$found" $seeds >"build/log/fuzz-$x" 2>&1
    then
        printf '  %-24s %s\n' "$x" \
            "$(grep -o '^Done .*' "build/log/fuzz-$x" | tail -n 1)"
    else
        status=1
        tail -n 40 "build/log/fuzz-$x"
        printf '  %-24s FAILED\n' "$x"
    fi
done
exit $status
