#!/bin/bash
# Replay the fuzz corpus through plain builds of the targets.
#
#   tests/fuzz/replay.sh PROGRAM...     PROGRAM is .../replay_X
#
# Each file of corpus/X counts as one test.
set -u
export LC_ALL=C
shopt -s nullglob
corpus=$(dirname "$0")/corpus
limit=
command -v timeout >/dev/null 2>&1 && limit="timeout 600"
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT
passed=0 failed=0
for t in "$@"; do
    x=${t##*/replay_}
    files=("$corpus/$x"/*)
    if $limit "$t" "${files[@]}" >"$out" 2>&1 </dev/null; then
        passed=$((passed + ${#files[@]}))
        printf '  %-24s %d inputs\n' "$x" ${#files[@]}
    else
        failed=$((failed + 1))
        tail -n 40 "$out"
        printf '  %-24s FAILED\n' "$x"
    fi
done
[ -z "${QIPU_TALLY:-}" ] || echo "replay $passed $failed 0" >>"$QIPU_TALLY"
echo "replay: $passed passed, $failed failed"
[ $failed -eq 0 ]
