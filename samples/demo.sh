#!/bin/sh
# A short tour of qipu; `make demo` runs it.  Each command is shown before its
# output, so that it can be tried by hand.
#
#   samples/demo.sh [QIPU]
set -eu
qipu=${1:-build/qipu}

say() { printf '\n%s\n' "$1"; }
run()
{
    printf '\n  $ qipu'
    for a; do
        case $a in
        *[!A-Za-z0-9._=,/+-]* | '') printf " '%s'" "$a" ;;
        *) printf ' %s' "$a" ;;
        esac
    done
    printf '\n\n'
    out=$("$qipu" "$@")
    printf '%s\n' "$out" | sed 's/^./  &/'
}

echo "qipu: a tour"

say "1. The rules.  Chinese chess begins with 44 legal moves, which have
   1,920 answers; three plies make 79,666 lines, as other programs find."
run perft --depth 3

say "2. A position after four plies, written as people write them: drawn, with
   its key, and everything that may be played."
run show --moves '炮二平五 馬8進7 H2+3 i9h9'

say "3. One move in every notation.  Which one it was read from does not matter."
run notation --to all '炮二平五'

say "4. The end of a game: no legal move left means the game is lost, in check
   or not (in Chinese chess a stalemate is no draw)."
run show --fen '3k5/4P4/9/9/9/9/9/9/9/4K4 b'

say "That was the tour.  'qipu help' lists the commands, README.md the rest."
