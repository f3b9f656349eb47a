#!/bin/bash
# Golden tests: what a user types, and all that must come of it.
#
#   tests/golden/run.sh [--rewrite] BUILD [CASE...]
#
# A case is a folder tests/golden/CMD/NAME with the files
#   cmd      shell text; "qipu" is BUILD/qipu
#   stdout, stderr, exit   what is expected
# It runs in an empty folder of its own, with $DATA (tests/data), $SAMPLES and
# $BIN (BUILD) set; where these paths occur in the output they are written as
# $DATA, $SAMPLES, $BIN.  --rewrite stores what came out: read the diff.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=${here%/tests/golden}

# A path as a pattern that matches just it: folders may be called "a[1]".
literal() { printf '%s' "$1" | sed 's/[][\.*^$|]/\\&/g'; }

run_case() # folder, rewrite or not; prints "ok" or a diff
{
    local dir=$here/$1 rewrite=$2 work f bad=
    work=$(mktemp -d) || return 1
    mkdir "$work/cwd"
    (cd "$work/cwd" && sh "$dir/cmd") >"$work/out" 2>"$work/err" </dev/null
    echo $? >"$work/exit"
    for f in out err; do
        sed -e "s|$(literal "$DATA")|\$DATA|g" \
            -e "s|$(literal "$SAMPLES")|\$SAMPLES|g" \
            -e "s|$(literal "$BIN")|\$BIN|g" "$work/$f" >"$work/std$f"
    done
    for f in stdout stderr exit; do
        if [ "$rewrite" = yes ]; then
            cmp -s "$work/$f" "$dir/$f" || cp "$work/$f" "$dir/$f"
        else
            diff -u --label "$1/$f expected" --label "$1/$f" "$dir/$f" \
                "$work/$f" || bad=yes
        fi
    done
    rm -rf "$work"
    if [ -n "$bad" ]; then
        echo "FAIL $1"
    else
        echo "ok $1"
    fi
}

if [ "${1:-}" = --cases ]; then # a worker
    shift
    rewrite=$1 log=$2
    shift 2
    for c in "$@"; do
        # One file a case, so that workers do not write into each other.
        run_case "$c" "$rewrite" >"$log/${c//\//.}" 2>&1
    done
    exit 0
fi

rewrite=no
if [ "${1:-}" = --rewrite ]; then
    rewrite=yes
    shift
fi
case $1 in
/*) BIN=$1 ;;
*) BIN=$root/$1 ;;
esac
shift
export BIN DATA=$root/tests/data SAMPLES=$root/samples
export QIPU=$BIN/qipu PATH=$BIN:$PATH LC_ALL=C TZ=UTC TERM=dumb
unset COLUMNS LINES LANGUAGE
log=$(mktemp -d) || exit 1
trap 'rm -rf "$log"' EXIT

if [ $# -eq 0 ]; then
    cd "$here" || exit 1
    set -- */*/cmd
    set -- "${@%/cmd}"
fi
printf '%s\0' "$@" |
    xargs -0 -n 8 -P "${JOBS:-1}" "$here/run.sh" --cases $rewrite "$log"

passed=0 failed=0
for c in "$@"; do
    f=$log/${c//\//.}
    if [ -f "$f" ] && [ "$(tail -n 1 "$f")" = "ok $c" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        [ -f "$f" ] && cat "$f"
    fi
done
[ -z "${QIPU_TALLY:-}" ] || echo "golden $passed $failed 0" >>"$QIPU_TALLY"
echo "golden: $passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
