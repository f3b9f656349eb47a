#!/bin/bash
# Files cut short or written over while they are mapped: a message, no SIGBUS.
#
#   tests/faults/shorten.sh BUILD
#
# An engine plays from a book, an annotation looks into one, an export reads a
# database, and then the file loses its end.  The engine must say so and search
# on; a command must end with a message and status 2.  A file that is replaced
# (a new one is renamed to its path) does no harm.
set -u
bin=$(cd "$1" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
qipu=$bin/qipu
fail() { echo "FAILED: $*"; exit 1; }

# until COMMAND...: for half a minute at most
until_() { local i; for ((i = 0; i < 3000; i++)); do "$@" && return; sleep 0.01; done; fail "in vain: $*"; }
lines() { [ "$(grep -c "$2" "$1")" -ge "$3" ]; } # FILE PATTERN COUNT

"$bin/tests/gen/gen_games" 2000 21 >games.pgn || exit 2
"$qipu" book build -o whole.book games.pgn >/dev/null 2>&1 || fail "build"
"$qipu" import -q -j1 -d whole.db games.pgn >/dev/null || fail "import"

# engine NAME COMMAND...: a book move, COMMAND, then what `go` says
engine()
{
    local name=$1
    shift
    cp whole.book live.book
    rm -f to
    : >out
    mkfifo to
    timeout 60 "$qipu" engine <to >out 2>err &
    exec 3>to
    printf 'setoption name Book value live.book\ngo depth 1\n' >&3
    until_ lines out '^bestmove' 1
    "$@"
    printf 'go depth 1\nisready\nquit\n' >&3
    exec 3>&-
    wait $! || fail "$name: status $?: $(cat err)"
    lines out '^bestmove' 2 || fail "$name: no answer"
    lines out '^readyok' 1 || fail "$name: it does not go on"
    echo "$name: $(grep -c 'string book: ' out) book moves;" \
        "$(grep 'error' out | sed 's/: [0-9]* of [0-9]* bytes//')"
}
over() { printf x >live.book; }
half() { truncate -s 8192 live.book; }
none() { truncate -s 0 live.book; }
grow() { printf x >>live.book; }
write() { printf x | dd of=live.book bs=1 seek=20000 conv=notrunc 2>/dev/null; }
replace() { printf x >new && mv new live.book; }
remove() { rm live.book; }
for how in over half none grow write replace remove; do
    engine "$how" "$how"
done

# commands: cut NAME FILE COMMAND: it reads FILE, and games only when told
cut()
{
    local name=$1 file=$2
    shift 2
    rm -f to
    : >out
    mkfifo to
    timeout 60 "$qipu" "$@" - <to >out 2>err &
    exec 3>to
    "$bin/tests/gen/gen_games" 1 5 >&3
    until_ opened $! "$file"
    truncate -s 8192 "$file"
    "$bin/tests/gen/gen_games" 300 6 >&3
    exec 3>&-
    wait $!
    local status=$?
    [ $status -eq 2 ] || fail "$name: status $status: $(cat err)"
    grep -q 'cut short' err || fail "$name: $(cat err)"
    echo "$name ok"
}
opened() { grep -q "/$2" "/proc/$1/maps" 2>/dev/null || pid_of "$1" "$2"; }
# timeout stands between: its child has the file
pid_of() { grep -q "/$2" /proc/"$(ps -o pid= --ppid "$1" | tr -d ' ')"/maps 2>/dev/null; }
if [ -r /proc/self/maps ]; then
    cp whole.book live.book
    cut "annotate --book" live.book annotate --nodes 10 --book live.book
    cp whole.db live.db
    cut "import" live.db import -q -j1 -d live.db
    # In the middle of a reading: the signal itself.
    cp whole.db live.db
    rm -f to
    mkfifo to
    timeout 60 "$qipu" db export live.db >to 2>err &
    exec 3<to
    sleep 0.3 # the pipe is full then
    truncate -s 8192 live.db
    cat <&3 >out
    exec 3<&-
    wait $!
    status=$?
    [ $status -eq 2 ] || fail "export: status $status: $(cat err)"
    grep -q 'cut short' err || fail "export: $(cat err)"
    echo "export ok"
else
    printf '%s ok\n' "annotate --book" import export # not seen here
fi
