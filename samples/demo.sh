#!/bin/sh
# A tour of qipu, from the rules to an opening book; `make demo` runs it.  Each
# command is shown before its output, so that it can be tried by hand.
#
#   samples/demo.sh [QIPU [PAGE]]
#
# What it writes goes to a folder that it removes, but for the page of an
# annotated game, which becomes the file PAGE.
set -eu
qipu=$(command -v -- "${1:-build/qipu}")
case $qipu in
/*) ;;
*) qipu=$PWD/$qipu ;;
esac
case ${2:-} in
/* | '') page=${2:-} ;;
*) page=$PWD/$2 ;;
esac
samples=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
cd "$tmp"
ln -s "$samples/games" "$samples/rulings" . # short names below

say() { printf '\n%s\n' "$1"; }
# run STATUS ARGUMENT...: show and run a command that ends with that status;
# of its output the first $show lines.
run()
{
    expected=$1
    shift
    printf '\n  $ qipu'
    for a; do
        case $a in
        *[!A-Za-z0-9._=,/+-]* | '') printf " '%s'" "$a" ;;
        *) printf ' %s' "$a" ;;
        esac
    done
    printf '\n\n'
    status=0
    "$qipu" "$@" >out 2>&1 || status=$?
    sed -e 's/^./  &/' -e "${show:-9999}q" out
    if [ $status -ne "$expected" ]; then
        echo "demo: exit status $status, expected $expected" >&2
        exit 2
    fi
}

echo "qipu: a tour"

say "1. The rules.  Chinese chess begins with 44 legal moves, which have
   1,920 answers; three plies make 79,666 lines, as other programs find."
run 0 perft --depth 3

say "2. A position after four plies, written as people write them: drawn, with
   its key, and everything that may be played."
run 0 show --moves '炮二平五 馬8進7 H2+3 i9h9'

say "3. One move in every notation.  Which one it was read from does not matter."
run 0 notation --to all '炮二平五'

say "4. The end of a game: no legal move left means the game is lost, in check
   or not (in Chinese chess a stalemate is no draw)."
run 0 show --fen '3k5/4P4/9/9/9/9/9/9/9/4K4 b'

say "5. Game files from the wild: wrong moves, stray bytes, a missing king.  Each
   fault is named and costs its own game alone.  The exit status is 1, which
   means: something was found wrong."
run 1 verify games/faulty.pgn

say "6. A game written down by another program's rules (World Xiangqi Federation,
   'H2+3'), rewritten as it is printed in China; only the beginning is shown."
show=14 run 0 convert --notation chinese games/wxf2018.pgn

say "7. A database of all these games: GBK, Big5 and UTF-8, six notations, PGN
   and JSON.  The games of mixed.pgn stand in other files as well, so they are
   duplicates; of the faulty ones only the number is told here."
run 1 import --quiet -d games.db games
run 0 db info games.db

say "8. Which games came to this position?  The columns: number of the game, the
   ply after which the position stood there, the move played next, result, date,
   players, event.  Where it says 'mirrored' the game has left and right
   exchanged; the move is turned to the position that was asked for."
run 0 search -d games.db --moves '炮二平五 马2进3'

say "9. An opening book out of the database: for each position the moves that
   were played there, and how those games ended."
run 0 book build -o my.book -d games.db

say "10. What do the players of the book answer to the central cannon?"
run 0 book probe my.book --moves '炮二平五'

say "11. A rook checks, then attacks the horse, and so on; both sides repeat.  Who
   has to change?  By the Chinese national rules Red, by the Asian rules nobody;
   each move is named, with what it attacks, and the article that decides."
run 0 referee --rules cxa --game 1 rulings/chase.pgn
run 0 referee --article A-24

say "12. A game with evaluations: every move gets one, in pawns from Red's view.  What
   loses winning chances is marked (\$6 inaccuracy, \$2 mistake, \$4 blunder), and
   the better line stands behind it.  Another engine can be asked with --engine;
   --html makes a page of it that any browser shows."
show=24 run 0 annotate --quiet --nodes 10000 --notation chinese \
    --html page.html -o - games/annotated.pgn
[ -z "$page" ] || cp page.html "$page"

[ -z "$page" ] || say "The page of the annotated game is kept; open it in a browser:
  $page"
say "That was the tour, and what else it wrote is gone.  Try the same with your games:
'qipu help' lists the commands, 'qipu help COMMAND' explains one, README.md has
the rest."
