#!/bin/sh
# An engine that plays a part: what it answers, and what it does wrong, hangs on
# the word it is given.  Cases S70 to S78; the head of each part tells more.
#
#   engine.sh PART [--log FILE]       --log: what it is told
#
# The first question, `go depth 1` from the start position, is answered by all
# with a legal move: that is how ranks are found out.
part=$1
log=/dev/null
[ "${2:-}" != --log ] || log=$3
move=h2e2
huge=99999999999999999999999
asked=0

say() { printf '%s\n' "$@"; }

say "pid $$" >>"$log"

hello_uci()
{
    case $part in
    ucci | cecp* | mute) return ;;
    dies-at-uci) exit 0 ;;
    refuses) # an error of its own, then it speaks
        say 'Error opening book.bin'
        sleep 0.1
        say 'Unknown setting in engine.ini'
        ;;
    slow-hello) sleep 2 ;;
    names-*) # GBK; longer than any name; what drives terminals
        case $part in
        *gbk) printf 'id name \317\363\306\345 2.0\n' ;;
        *long) printf 'id name %s\n' "$(printf '象棋%.0s' $(seq 100))" ;;
        *control) printf 'id name \001a\033[31mb\302\205c\177\n' ;;
        *nothing) printf 'id name \001\002\n' ;;
        esac
        say uciok
        return
        ;;
    unnamed-*)
        say uciok
        return
        ;;
    wrapper) say 'Loading the network...' 'id tification: none' 'usage: none' ;;
    network) say 'option name EvalFile type string default e.nnue' ;;
    options)
        say 'option name EvalFile type string default <empty>' \
            'option name Repetition Rule type combo default AsianRule var AsianRule var ChineseRule var SkyRule' \
            'option name Hash type spin default 16 min 1 max 33554432' \
            'option name Clear Hash type button'
        ;;
    esac
    say "id name Scripted $part" 'option name MultiPV type spin default 1 min 1 max 9' uciok
}

answer()
{
    case $part in
    rank10) # S70: ranks 1-10
        say 'info depth 1 score cp 30 pv h3e3' \
            'info depth 2 score cp 25 nodes 90 pv h3e3 h10g8 h1g3 i10h10' \
            'bestmove h3e3 ponder h10g8'
        ;;
    ucci) # S71: no "cp", nobestmove
        case $position in
        *3k5/4P4*) say nobestmove ;;
        *) say 'info depth 3 score 25 pv h2e2 h9g7' 'bestmove h2e2 ponder h9g7' ;;
        esac
        ;;
    none) say 'bestmove (none)' ;; # S72
    zero) say 'bestmove 0000' ;;
    null) say 'bestmove a0a0' ;;
    crash) # S73: its second question kills it
        say 'info depth 1 score cp -20 pv h9g7'
        exit 1
        ;;
    hang) # S73: no answer, not even to stop; it has started another process
        say 'info depth 1 score cp 22 pv h0g2'
        sleep 1000
        ;;
    stubborn) # ...nor does it listen to signals
        trap '' TERM INT HUP PIPE
        sleep 1000
        ;;
    helper | helpers) # it has started others, which leave its session and it
        again=
        [ "$part" = helper ] || again='(sleep 998 &) ;'
        (setsid sh -c "trap '' TERM HUP INT; echo pid \$\$ >>'$log'; $again sleep 999" &)
        while [ "$(grep -c '^pid' "$log")" -lt 2 ]; do sleep 0.01; done
        [ "$part" = helper ] || exit 0
        sleep 1000
        ;;
    flood) # never stops talking
        while :; do say 'info depth 1 currmove h2e2'; done
        ;;
    info) # S74
        say 'info depth 7 currmove h2e2 currmovenumber 1' \
            'info depth 7 seldepth 9 multipv 1 score cp 90 lowerbound nodes 100 pv h2e2'
        printf 'info depth 8 multipv 1 score cp 18 nodes 900 pv h2e2 h9g7 g7g7\r\n'
        say 'info depth 8 multipv 2 score mate -3 pv a0a1' \
            'info string pv is fine, score cp 999' \
            'info depth 8 currmove b2e2 currmovenumber 2' \
            "info string $(printf '%09000d' 0)" \
            'bestmove h2e2 ponder h9g7'
        ;;
    mate) # S77: claims that are none
        say 'info depth 9 score cp 120 pv h2e2' 'info depth 10 score mate 1 pv h2e2' \
            'bestmove h2e2'
        ;;
    late) # goes on talking of a question that it has answered
        say 'info depth 3 score cp 7 pv h2e2' 'bestmove h2e2'
        say 'info depth 30 score cp 5000 pv b2e2' 'bestmove b2e2'
        ;;
    slow) # answers when it is told to stop
        while read -r line && [ "$line" != stop ]; do :; done
        say 'info depth 5 score cp 11 pv h2e2' 'bestmove h2e2'
        ;;
    silent) # says nothing where there is one legal move; nor of its own free will
        case $position in
        *4r4/9/3K5*) say 'bestmove d0d1' ;; # on either wing
        *4r4/9/5K3*) say 'bestmove f0f1' ;;
        *4r4/3K5/9* | *4r4/5K3/9*)
            say 'info depth 3 score cp 500 pv e2e3' 'bestmove e2e3'
            ;;
        *) say 'bestmove h2e2' ;;
        esac
        ;;
    illegal) say 'info depth 1 score cp 10 pv h2e2' 'bestmove aaaa' ;;
    bound) # it changed its mind last, and ended before it knew how much
        case $position in
        *' b '*) say 'info depth 6 score cp -490 pv h9g7' 'bestmove h9g7' ;;
        *) say 'info depth 5 score cp 40 pv a0a1 a9a8' \
            'info depth 6 score cp 500 lowerbound pv h2e2 h9g7' 'bestmove h2e2' ;;
        esac
        ;;
    bound-only) say 'info depth 1 score cp 60 lowerbound pv h2e2' 'bestmove h2e2' ;;
    bound-lost)
        say 'info depth 6 score cp 500 lowerbound pv h2e2' \
            'info depth 6 score cp 45 pv a0a1' 'bestmove h2e2'
        ;;
    second)
        say 'info depth 5 multipv 1 score cp 40 pv a0a1' \
            'info depth 5 multipv 2 score cp 30 pv h2e2 h9g7' 'bestmove h2e2'
        ;;
    elsewhere) say 'info depth 5 score cp 40 pv a0a1' 'bestmove h2e2' ;;
    huge-mate) say "info depth 3 score mate $huge pv h2e2" 'bestmove h2e2' ;;
    huge-mated) say "info depth 3 score mate -$huge pv h2e2" 'bestmove h2e2' ;;
    huge-cp) say "info depth $huge score cp $huge nodes $huge pv h2e2" 'bestmove h2e2' ;;
    unnamed-*) say "info depth 2 score cp ${part#*-} pv $move" "bestmove $move" ;;
    pov) # S76: the mover's view
        case $position in
        *' b '*) say 'info depth 4 score cp 30 pv h9g7' 'bestmove h9g7' ;;
        *rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1*)
            say 'info depth 4 score cp 12 pv h2e2' 'bestmove h2e2'
            ;;
        *) say 'info depth 4 score cp -25 pv h0g2' 'bestmove h0g2' ;;
        esac
        ;;
    *) # rooks, which can always go there
        case $position in
        *' b '*) move=a9a8 ;;
        *) move=a0a1 ;;
        esac
        say "info depth 2 nodes 50 score cp 5 pv $move" "bestmove $move"
        ;;
    esac
}

while read -r line; do
    line=${line%"$(printf '\r')"}
    say "$line" >>"$log"
    case $line in
    uci) hello_uci ;;
    ucci)
        [ "$part" != ucci ] || say 'id name Old UCCI engine' \
            'option usemillisec type check default true' \
            'option hashsize type spin min 0 max 1024 default 16' ucciok
        ;;
    protover*)
        [ "${part%%-*}" != cecp ] || say 'feature ping=1 setboard=1 done=0' \
            'feature myname="Scripted CECP 1" option="style -combo solid"' \
            'feature done=1'
        ;;
    ping*) say "pong ${line#ping }" ;;
    isready) [ "$part" = never-ready ] || say readyok ;;
    position* | setboard*) position=$line ;;
    go) # CECP
        if [ "$part" = cecp-bound ]; then
            say '1 8 0 138 1. Ra0-a1' '2 99 1 200 (+) 1. Ch2-e2 Hh9-g7' 'move h2e2'
            continue
        fi
        say '1 8 0 138 1. Ch2-e2 Hh9-g7' '2 99 1 200 (+) 1. Ch2-e2' \
            '2 21 1 300 1. Ch2-e2 Hh9-g7 2. Hh0-g2' 'move h2e2'
        ;;
    go*)
        asked=$((asked + 1))
        if [ "$line" = 'go depth 1' ] && [ $asked -eq 1 ]; then
            [ "$part" != rank10 ] || move=h3e3
            say "bestmove $move"
        else
            answer
        fi
        ;;
    quit) exit 0 ;;
    esac
done
