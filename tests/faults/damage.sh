#!/bin/bash
# Damaged, truncated and foreign files: named, never a crash.
#
#   tests/faults/damage.sh BUILD [ROUNDS]
#
# On a truncated or foreign file every command ends with a message and status
# 1 or 2.  On a file with bytes changed at random `db check` names the fault,
# or, where no byte in use was hit, passes, and then the games are the same.
set -u
bin=$(cd "$1" && pwd) rounds=${2:-40}
RANDOM=${SEED:-815}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
qipu=$bin/qipu
fail() { echo "FAILED: $*"; exit 1; }

"$bin/tests/gen/gen_games" 400 3 >games.pgn || exit 2
"$qipu" import -q -j1 --memory 1M -d whole.db games.pgn >/dev/null || exit 2
"$qipu" db delete whole.db 17 || exit 2
"$qipu" db export whole.db -o whole.pgn || exit 2
size=$(stat -c %s whole.db)
random() { echo $(((RANDOM * 32768 + RANDOM) % $1)); }

# every command on f.db; none may crash or say that all is well
all_refuse()
{
    local c status
    for c in "db check f.db" "db info f.db" "db list f.db" "db get f.db 1" \
        "db export f.db" "db duplicates f.db" "db set f.db 1 Event=x" \
        "db delete f.db 1" "db compact f.db" "search -d f.db --moves h2e2" \
        "import -q -j1 -d f.db games.pgn"; do
        timeout 60 "$qipu" $c >out 2>err
        status=$?
        [ $status -eq 1 ] || [ $status -eq 2 ] || fail "$1: $c: status $status"
        [ -s err ] || fail "$1: $c: no message"
    done
    rm -f f.db f.db-lock
}

for ((i = 0; i < rounds / 4 + 1; i++)); do
    head -c "$(random "$size")" whole.db >f.db
    # an empty file is refused too: it was never a database
    all_refuse "cut"
done
cp games.pgn f.db && all_refuse "a PGN file"
head -c 100000 /dev/urandom >f.db && all_refuse "noise"
head -c 100000 /dev/zero >f.db && all_refuse "zeros"
: >f.db && all_refuse "an empty file"
mkdir f.db && timeout 60 "$qipu" db info f.db 2>/dev/null
[ $? -eq 2 ] || fail "a folder"
rmdir f.db

named=0 harmless=0
for ((i = 0; i < rounds; i++)); do
    cp whole.db f.db
    for ((k = 0; k <= i % 3; k++)); do
        printf "\\x$(printf %02x $((RANDOM % 256)))" |
            dd of=f.db bs=1 seek="$(random "$size")" conv=notrunc 2>/dev/null
    done
    timeout 60 "$qipu" db check f.db >out 2>err
    status=$?
    case $status in
    0)
        "$qipu" db export f.db -o f.pgn || fail "round $i: export"
        cmp -s f.pgn whole.pgn || fail "round $i: a damage was not seen"
        harmless=$((harmless + 1))
        ;;
    1 | 2)
        [ -s err ] || fail "round $i: no message"
        named=$((named + 1))
        ;;
    *) fail "round $i: status $status" ;;
    esac
done
[ $named -gt 0 ] || fail "no damage was named"
[ -n "${QUIET:-}" ] || echo "$named damages named, $harmless hit nothing in use"
echo "ok"
