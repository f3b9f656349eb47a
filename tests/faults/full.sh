#!/bin/bash
# No room: for the file, and for the map.
#
#   tests/faults/full.sh BUILD
#
# An import into a file system without room (a tmpfs where root may mount one,
# else a limit on the size of files), and one that may not map more memory,
# must end with a message and status 2; what was committed before must be
# there, and with room again the same command must finish the work.
set -u
bin=$(cd "$1" && pwd)
work=$(mktemp -d) || exit 2
trap 'cd /; umount "$work/small" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 2
qipu=$bin/qipu
fail() { echo "FAILED: $*"; exit 1; }

"$bin/tests/gen/gen_games" 4000 5 >games.pgn || exit 2
"$qipu" import -q -j1 --memory 2M -d whole.db games.pgn >/dev/null || exit 2
"$qipu" db export whole.db -o whole.pgn || exit 2

# check NAME DB STATUS: after an import that had no room
check()
{
    [ "$3" -eq 2 ] || fail "$1: status $3"
    grep -q "$4" err || fail "$1: message: $(cat err)"
    "$qipu" db check "$2" >check.txt 2>&1 || fail "$1: $(cat check.txt)"
    n=$(sed 's/ok: games \([0-9]*\),.*/\1/' check.txt)
    [ "$n" -gt 0 ] || fail "$1: nothing was committed"
    [ "$n" -lt 3960 ] || fail "$1: there was room"
}
# finish NAME DB: with room again
finish()
{
    "$qipu" import -q -j1 --memory 2M -d "$2" games.pgn >/dev/null ||
        fail "$1: cannot go on"
    "$qipu" db check "$2" >check.txt 2>&1 || fail "$1: $(cat check.txt)"
    "$qipu" db export "$2" -o f.pgn || fail "$1: export"
    cmp -s f.pgn whole.pgn || fail "$1: other games"
    echo "$1 ok"
}

mkdir small
if mount -t tmpfs -o size=2m tmpfs small 2>/dev/null; then
    "$qipu" import -q -j1 --memory 2M -d small/f.db games.pgn 2>err >/dev/null
    check "full disk" small/f.db $? "no room"
    cp small/f.db disk.db
    umount small
else
    (
        ulimit -f 2000
        "$qipu" import -q -j1 --memory 2M -d disk.db games.pgn 2>err >/dev/null
    )
    check "full disk" disk.db $? "no room"
fi
finish "full disk" disk.db

# The map: address space in small steps, until the program can begin (before
# that it cannot load its libraries, or says that memory is short) and not end.
status=0
for ((space = 16000; space < 300000; space += 1000)); do
    rm -f map.db map.db-lock
    (
        ulimit -v $space
        "$qipu" import -q -j1 --memory 2M -d map.db games.pgn 2>err >/dev/null
    ) 2>/dev/null
    status=$?
    [ $status -ne 0 ] || break
    [ -e map.db ] || continue
    n=$("$qipu" db info --json map.db 2>/dev/null |
        sed 's/.*"games":\([0-9]*\).*/\1/')
    [ "${n:-0}" -eq 0 ] || break
done
[ $space -lt 300000 ] || status=0 # a sanitizer's shadow needs more
case $status in
0) echo "full map skipped: memory cannot be limited here" ;;
*)
    [ $status -eq 2 ] || fail "full map: status $status: $(cat err)"
    "$qipu" db check map.db >check.txt 2>&1 || fail "map: $(cat check.txt)"
    finish "full map" map.db
    ;;
esac
