#!/bin/bash
# Kill an import again and again; nothing may be lost, nothing half there.
#
#   tests/faults/kill.sh BUILD [GAMES [KILLS [MEMORY]]]
#
# An import of GAMES generated games is killed (SIGKILL) at KILLS random
# moments, KILLS/4 of them just after a batch was committed.  Each time the
# database must open, pass `db check`, and hold whole games; the same command
# then goes on.  In the end it must hold exactly what an undisturbed import
# gives; each time it is complete the next import begins anew.
# The full test: 300000 games, 50 kills, 64M.
set -u
bin=$(cd "$1" && pwd) games=${2:-3000} kills=${3:-8} memory=${4:-2M}
RANDOM=${SEED:-4711}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
qipu=$bin/qipu
# What is killed looks for no leaks: where the kill hits that search, the
# sanitizer's helper outlives it and complains.
doomed=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
fail() { echo "FAILED: $*"; exit 1; }

"$bin/tests/gen/gen_games" "$games" 7 >games.pgn || exit 2
start=$(date +%s%N)
"$qipu" import -q -j1 --memory "$memory" -d whole.db games.pgn >whole.txt ||
    fail "undisturbed import"
took=$((($(date +%s%N) - start) / 1000000))
"$qipu" db export whole.db -o whole.pgn || fail "export"
total=$("$qipu" db list --count whole.db)

killed=0 found=0
for ((i = 0; i < kills; i++)); do
    ASAN_OPTIONS=$doomed "$qipu" import -q -j1 --memory "$memory" -d f.db \
        games.pgn >/dev/null &
    pid=$!
    if ((i % 4 == 3)); then # when the file has just grown: a batch is done
        size=$(stat -c %s f.db 2>/dev/null || echo 0)
        for ((k = 0; k < 2000; k++)); do
            now=$(stat -c %s f.db 2>/dev/null || echo 0)
            [ "$now" = "$size" ] || break
            kill -0 $pid 2>/dev/null || break
            sleep 0.001
        done
    else
        ms=$((1 + (RANDOM * 32768 + RANDOM) % (took + 1)))
        sleep "$(printf '%d.%03d' $((ms / 1000)) $((ms % 1000)))"
    fi
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    [ $? -eq 137 ] && killed=$((killed + 1))
    [ -e f.db ] || continue
    "$qipu" db check f.db >check.txt 2>&1 ||
        fail "kill $i: $(cat check.txt)"
    n=$(sed 's/ok: games \([0-9]*\),.*/\1/' check.txt)
    ((n >= found)) || fail "kill $i: $n games where $found were before"
    found=$n
    if ((found == total && i + 1 < kills)); then # from the beginning
        "$qipu" db export f.db -o f.pgn || fail "export"
        cmp -s f.pgn whole.pgn || fail "kill $i: other games"
        rm -f f.db f.db-lock
        found=0
    fi
done
[ $killed -gt 0 ] || fail "no import lived long enough to be killed"
"$qipu" import -q -j1 --memory "$memory" -d f.db games.pgn >/dev/null ||
    fail "last import"
"$qipu" db check f.db >check.txt 2>&1 || fail "$(cat check.txt)"
"$qipu" db export f.db -o f.pgn || fail "export"
cmp -s f.pgn whole.pgn || fail "other games than an undisturbed import gives"
ls | grep -q '\.tmp' && fail "temporary files are left"
[ -n "${QUIET:-}" ] || echo "$killed imports killed, $found games before the last"
echo "ok"
