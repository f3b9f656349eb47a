#!/bin/bash
# Several processes at one database.
#
#   tests/faults/together.sh BUILD [GAMES]
#
# While an import writes, searches read what was committed; some of them are
# killed (their places in the table of readers must not fill it up); a second
# import waits, says for whom, and then adds its games.
set -u
bin=$(cd "$1" && pwd) games=${2:-4000}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
qipu=$bin/qipu
fail() { echo "FAILED: $*"; exit 1; }

"$bin/tests/gen/gen_games" "$games" 11 >a.pgn || exit 2
"$bin/tests/gen/gen_games" 300 12 >b.pgn || exit 2
"$bin/tests/gen/gen_games" 500 13 >first.pgn || exit 2
"$qipu" import -q -j1 -d f.db first.pgn >/dev/null || fail "first import"
"$qipu" import -q -j1 --memory 1M -d f.db a.pgn >a.txt 2>a.err &
a=$!
sleep 0.1
"$qipu" import -j1 --memory 1M -d f.db b.pgn >b.txt 2>b.err &
b=$!
before=0 searches=0 killed=0
while kill -0 $a 2>/dev/null && ((searches < 2000)); do
    n=$("$qipu" search -d f.db --moves "" --count 2>err)
    status=$?
    [ $status -eq 0 ] || fail "search: status $status: $(cat err)"
    ((n >= before)) || fail "$n games where $before were before"
    before=$n
    searches=$((searches + 1))
    if ((searches % 8 == 0)); then
        "$qipu" db check f.db >check.txt 2>&1
        status=$?
        [ $status -eq 0 ] || grep -q "during the check" check.txt ||
            fail "check meanwhile: $(cat check.txt)"
    fi
    "$qipu" db list f.db >/dev/null 2>&1 &
    r=$!
    sleep 0.002
    kill -9 $r 2>/dev/null && killed=$((killed + 1))
    wait $r 2>/dev/null
done
wait $a || fail "import: $(cat a.err)"
wait $b || fail "second import: $(cat b.err)"
((searches > 0)) || fail "only $searches searches"
grep -q "waiting: pid $a" b.err || fail "the second import did not wait: $(cat b.err)"
"$qipu" db check f.db >check.txt 2>&1 || fail "$(cat check.txt)"
added=$(cat a.txt b.txt | sed 's/.*added \([0-9]*\).*/\1/' | paste -sd+ | bc)
n=$(sed 's/ok: games \([0-9]*\),.*/\1/' check.txt)
[ "$n" -eq $((added + 495)) ] || fail "$n games, not $added + 495"
[ -n "${QUIET:-}" ] || echo "$searches searches, $killed readers killed"
echo "ok"
