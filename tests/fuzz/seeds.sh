#!/bin/bash
# Seeds for the fuzzer out of the real collections of ../shared, where they are
# (or of $QIPU_SHARED): build/fuzz/seeds/X for each target X that reads files.
#
#   tests/fuzz/seeds.sh
#
# A file longer than 16 KiB is cut there: a long input makes a fuzzer slow, not
# thorough.  Targets that take a first byte of options get it: 0 (for `kinds`
# 'p': tell the format by content; for `foreign` 'f': a book file).
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
data=${QIPU_SHARED:-../shared}/data
out=build/fuzz/seeds
if [ ! -d "$data" ]; then
    echo "fuzz: no $data: only the seeds of tests/fuzz/corpus"
    exit 0
fi
[ ! -e "$out/complete" ] || exit 0
rm -rf "$out"
mkdir -p "$out/tar"

# seed TARGET BYTE: each file whose name comes on stdin, up to 300 of them.
seed()
{
    local n=0 f name
    mkdir -p "$out/$1"
    while read -r f && [ $n -lt 300 ]; do
        n=$((n + 1))
        name=$out/$1/$n
        printf '%b' "$2" >"$name"
        case $f in
        *.gz) gzip -dc "$f" 2>/dev/null | head -c 16384 >>"$name" || : ;;
        *) head -c 16384 "$f" >>"$name" ;;
        esac
    done
}

# every N: every N-th line, so that 300 files come from the whole collection.
every()
{
    awk -v n="$1" 'NR % n == 1 || n == 1'
}

for t in "$data"/xqf/*.tar.gz; do
    tar -xzf "$t" -C "$out/tar"
done
find "$out/tar" "$data/xqf" -iname '*.xqf' -size -33 | sort | every 60 |
    seed xqf '\0'
find "$data/cbl" -iname '*.cbl*' | sort | seed cbl '\020'
find "$data/cbr" -type f | sort | seed cbr '\0'
find "$data/cbf" -type f | sort | seed cbf '\0'
find "$data/dhtmlxq" -type f | sort | seed dhtmlxq ''
find "$data/wxf" "$data/other" -name '*.wxf' | sort | seed wxf ''
tar -xzf "$data/movelist/niu2x-chinese-qipu.tar.gz" -C "$out/tar"
{ find "$data/movelist" -name '*.uci' -o -name 'uci.txt.gz'
  find "$out/tar" -type f ! -iname '*.xqf' | sort | every 100
  find "$data/epd" "$data/other" -type f ! -name '*.json.gz'; } | sort |
    seed moves ''
find "$data/csv" -type f | sort | seed csv ''
find "$data/other" "$data/epd" "$data/wxf" "$data/dhtmlxq" -type f | sort |
    seed kinds p
find "$data/book" -type f | sort | seed foreign f
find "$data/pgn" -iname '*.pgn*' | sort | every 4 | seed pgn '\0'
find "$data/pgn" -iname '*.pgn*' | sort | every 8 | seed repair '\003'
rm -rf "$out/tar"
: >"$out/complete"
