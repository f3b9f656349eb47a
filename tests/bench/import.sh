#!/bin/bash
# What an import takes, beside iconv on the same bytes.
#
#   tests/bench/import.sh QIPU GAMES.pgn [ENCODING]
#
# GAMES.pgn is one unpacked file.  CPU is user + system; RUNS (default 5) runs
# take turns, medians are compared.
#
# The joined CCPD, 49 MB Big5, 41,959 games of which 33,762 are stored, one
# thread: 0.58 s of CPU where iconv takes 0.152 (3.8 times), 92 MiB; 18.4 MB: 101
# bytes a game for headers and moves, 26 for names, 5.1 a ply for the index.
set -u
export LC_ALL=C
qipu=$1 games=$2 encoding=${3:-BIG5} RUNS=${RUNS:-5}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

timed() # FILE COMMAND...: "cpu wall" to FILE
{
    local file=$1 TIMEFORMAT='%U %S %R'
    shift
    { time "$@" >/dev/null 2>&1 </dev/null; } 2>&1 |
        awk '{ printf "%.3f %.3f\n", $1 + $2, $3 }' >>"$file"
}
median() { cut -d' ' -f"$1" "$2" | sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

for ((i = 0; i < RUNS; i++)); do
    timed "$tmp/iconv" iconv -c -f "$encoding" -t UTF-8 "$games"
    for j in 1 2; do
        rm -f "$tmp/db" "$tmp/db-lock"
        timed "$tmp/j$j" "$qipu" import -q -j$j -d "$tmp/db" "$games"
    done
    timed "$tmp/again" "$qipu" import -q -j1 -d "$tmp/db" "$games"
    timed "$tmp/search" "$qipu" search -d "$tmp/db" --limit 20 \
        --moves "h2e2 h9g7 h0g2 i9h9"
done
awk -v iconv="$(median 1 "$tmp/iconv")" -v j1="$(median 1 "$tmp/j1")" \
    -v w1="$(median 2 "$tmp/j1")" -v w2="$(median 2 "$tmp/j2")" \
    -v again="$(median 1 "$tmp/again")" -v s="$(median 2 "$tmp/search")" 'BEGIN {
    printf "iconv               %8.3f s CPU\n", iconv
    printf "import -j1          %8.3f s CPU    %.2f times iconv\n", j1, j1 / iconv
    printf "import once more    %8.3f s CPU    nothing is added\n", again
    printf "import -j1, -j2     %8.3f %.3f s wall    %.2f times faster\n", w1, w2, w1 / w2
    printf "search, cold start  %8.3f s wall\n", s }'
if [ -x /usr/bin/time ]; then
    rm -f "$tmp/db" "$tmp/db-lock"
    /usr/bin/time -f '%M' -o "$tmp/mem" "$qipu" import -q -d "$tmp/db" \
        "$games" >/dev/null 2>&1
    awk 'END { printf "memory              %8.0f MiB\n", $1 / 1024 }' "$tmp/mem"
fi
"$qipu" db info "$tmp/db"
