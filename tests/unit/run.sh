#!/bin/bash
# Run cmocka programs and count their tests.
#
#   tests/unit/run.sh PROGRAM...
#
# A program counts as cmocka reports it (TAP); one that ends early, or with a
# bad status that no test explains, is one failure more.
set -u
export LC_ALL=C TZ=UTC CMOCKA_MESSAGE_OUTPUT=TAP
limit=
command -v timeout >/dev/null 2>&1 && limit="timeout 900"
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT
total_p=0 total_f=0 total_s=0
for t in "$@"; do
    $limit "$t" >"$out" 2>&1 </dev/null
    rc=$?
    read -r p f s <<<"$(awk -v rc=$rc '
        /^1\.\.[0-9]+/ { planned += substr($1, 4) }
        /^(not )?ok .*# [Ss][Kk][Ii][Pp]/ { s++; next }
        /^ok / { p++ }
        /^not ok / { f++ }
        END {
            if (p + f + s < planned || !planned || (rc != 0 && !f))
                f++
            print p + 0, f + 0, s + 0
        }' "$out")"
    if [ "$f" -gt 0 ]; then
        grep -v '^ok ' "$out"
        printf '  %-24s %d passed, %d FAILED (status %d)\n' "${t##*/}" "$p" \
            "$f" $rc
    else
        printf '  %-24s %d passed\n' "${t##*/}" "$p"
    fi
    total_p=$((total_p + p)) total_f=$((total_f + f)) total_s=$((total_s + s))
done
[ -z "${QIPU_TALLY:-}" ] ||
    echo "unit $total_p $total_f $total_s" >>"$QIPU_TALLY"
echo "unit: $total_p passed, $total_f failed, $total_s skipped"
[ $total_f -eq 0 ] && [ $total_p -gt 0 ]
