#!/bin/bash
# Run checks one after the other and count.
#
#   tests/check.sh STEP...
#
# STEP is format, layers, headers, gcc, clang (a build with warnings as errors)
# or the name of a variant, whose tests are then built and run.  The last line
# is "N passed, N failed", with ", N skipped" when something was.  Exit 1 when
# a step failed or no test ran.
set -u
cd "$(dirname "$0")/.." || exit 1

MAKE=${MAKE:-make}
CLANG=${CLANG:-clang}
JOBS=${JOBS:-1}
export JOBS
mkdir -p build/log
QIPU_TALLY=$PWD/build/tally
export QIPU_TALLY
: >"$QIPU_TALLY"
started=$SECONDS

have() { command -v "$1" >/dev/null 2>&1; }

# tally KIND PASSED FAILED SKIPPED
tally() { echo "$*" >>"$QIPU_TALLY"; }

skip()
{
    printf '%-10s skipped: %s\n' "$1" "$2"
    tally step 0 0 1
}

# step NAME COMMAND...: one thing that works or does not.
step()
{
    local name=$1 log=build/log/$1
    shift
    if "$@" >"$log" 2>&1; then
        printf '%-10s ok\n' "$name"
        tally step 1 0 0
    else
        cat "$log"
        printf '%-10s FAILED\n' "$name"
        tally step 0 1 0
        return 1
    fi
}

build() { "$MAKE" --no-print-directory -s -j"$JOBS" "$@"; }

# The tests of one variant.
variant()
{
    step "build $1" build VARIANT="$1" everything || return
    for part in unit golden-test replay; do
        "$MAKE" --no-print-directory -s VARIANT="$1" "$part" ||
            echo "$part ($1) FAILED"
    done
}

for s in "$@"; do
    case $s in
    format)
        # Every release lays out some lines its own way: Debian 12's decides.
        if ! have clang-format; then
            skip format "clang-format is not installed"
        elif ! clang-format --version | grep -q 'version 14\.'; then
            skip format "clang-format is not version 14"
        else
            step format "$MAKE" -s format
        fi
        ;;
    layers) step layers tests/layers.sh ;;
    headers) step headers "$MAKE" -s headers ;;
    gcc)
        if have gcc; then
            step gcc build VARIANT=werror CC=gcc everything
        else
            skip gcc "gcc is not installed"
        fi
        ;;
    clang)
        if have "$CLANG"; then
            step clang build VARIANT=clang everything
        else
            skip clang "$CLANG is not installed"
        fi
        ;;
    *) variant "$s" ;;
    esac
done

awk -v seconds=$((SECONDS - started)) '
    { passed += $2; failed += $3; skipped += $4; ran[$1] += $2 + $3 }
    END {
        if (!ran["unit"]) { print "no unit test ran"; failed++ }
        if (!ran["golden"]) { print "no golden test ran"; failed++ }
        printf "took %d seconds\n", seconds
        line = (passed + 0) " passed, " (failed + 0) " failed"
        if (skipped)
            line = line ", " skipped " skipped"
        print line
        exit failed > 0
    }' "$QIPU_TALLY"
