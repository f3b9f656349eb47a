#!/bin/bash
# Fuzz.
#
#   tests/fuzz/run.sh SECONDS PROGRAM...     PROGRAM is .../run_X
#
# SECONDS of CPU time for each target, so that a busy machine does not fuzz
# less (without /proc: of wall clock).  It starts from tests/fuzz/corpus/X and
# from what seeds.sh took out of the real collections.  New inputs go to
# build/fuzz/corpus/X; an input that crashes is left in build/fuzz/crash/ and
# belongs into tests/fuzz/corpus/X with its fix.
set -u
export LC_ALL=C
seconds=$1
shift
cd "$(dirname "$0")/../.." || exit 1
status=0 pid=
ticks=$(getconf CLK_TCK 2>/dev/null || echo 100)
trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null; exit 130' INT TERM

# used PID: hundredths of a second of CPU time; fails when it has ended.
used()
{
    local stat
    { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return
    # shellcheck disable=SC2086
    set -- ${stat##*) } # the name, in brackets, may hold anything
    [ "$1" != Z ] || return
    echo $(((${12} + ${13}) * 100 / ticks))
}

# fuzz PROGRAM ARGUMENT...: until its CPU time is used up, then it is asked to
# end behind the input at hand.  $cpu: what it used.
fuzz()
{
    local now code
    "$@" &
    pid=$!
    cpu=0
    while now=$(used $pid); do
        cpu=$now
        [ "$cpu" -lt $((seconds * 100)) ] || kill -USR1 $pid 2>/dev/null
        sleep 0.2
    done
    wait $pid
    code=$?
    pid=
    return $code
}

for t in "$@"; do
    x=${t##*/run_}
    log=build/log/fuzz-$x
    mkdir -p "build/fuzz/corpus/$x" build/fuzz/crash build/log
    run=("$t" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1
        -artifact_prefix="build/fuzz/crash/$x-" "build/fuzz/corpus/$x")
    for seeds in "tests/fuzz/corpus/$x" "build/fuzz/seeds/$x"; do
        [ ! -d "$seeds" ] || run+=("$seeds")
    done
    code=0
    if [ -r /proc/self/stat ]; then
        fuzz "${run[@]}" >"$log" 2>&1 || code=$?
    else
        cpu=$((seconds * 100))
        "${run[@]}" -max_total_time="$seconds" >"$log" 2>&1 || code=$?
    fi
    if [ $code -eq 0 ]; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
        printf '  %-24s %12s runs %8d.%02d s CPU\n' "$x" "${runs:-?}" \
            $((cpu / 100)) $((cpu % 100))
    else
        status=1
        tail -n 40 "$log"
        printf '  %-24s FAILED; the input is in build/fuzz/crash/\n' "$x"
    fi
done
exit $status
