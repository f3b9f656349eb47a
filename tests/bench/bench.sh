#!/bin/bash
# Speed and size, measured so that it can be believed.
#
#   tests/bench/bench.sh QIPU MEASURE [GEN_GAMES] [BENCH_PROGRAM...]  (make bench)
#
# Ours and the peer take turns, RUNS times (default 5), and medians are
# compared: CPU time is user + system of the whole process (perft: user), wall
# clock and peak memory are the whole process's too.  A line a figure:
#
#   what    ours    what it is held against    ratio    asked for    ok or MISSED
#
# The games are those of QIPU_SHARED (default ../shared): CCPD, joined in
# build/bench/, and XQF, CBL and DhtmlXQ, in tar archives there.  What needs data or a program that is not there is skipped and
# says so.  With LARGE=1 the memory for ten times as many games, made by
# gen_games, is measured too: half a gigabyte in build/bench/.  A missed figure
# is no failure: exit 1 only when something did not
# run or gave a wrong answer.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
qipu=$1 measure=$2
shift 2
RUNS=${RUNS:-5}
SHARED=${QIPU_SHARED:-../shared}
FAIRY=${FAIRY:-$(command -v fairy-stockfish || echo /usr/games/fairy-stockfish)}
status=0
dir=build/bench
mkdir -p "$dir" || exit 1
tmp=$(mktemp -d "$dir/run.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

fail() { echo "bench: $1"; status=1; }
skipped() { printf '%-36s skipped: %s\n' "$1" "$2"; }

# run NAME COMMAND...: its costs are appended to $tmp/NAME, its output is in
# $tmp/NAME.out.  Exit status 1 is an answer ("a game is faulty"), 2 is none.
run()
{
    local name=$1 line
    shift
    line=$("$measure" "${OUT:-$tmp/$name.out}" "$@") && [ "${line##* }" -le 1 ] || {
        fail "failed: $*"
        tail -n 3 "$tmp/$name.out"
        return 1
    }
    echo "$line" >>"$tmp/$name"
}

# cost NAME user|cpu|wall|kib: the median of NAME's runs; kib: the largest.
cost()
{
    local what
    case $2 in
    user) what='$1' ;;
    cpu) what='$1 + $2' ;;
    wall) what='$3' ;;
    kib) what='$4' ;;
    esac
    awk "{ print $what }" "$tmp/$1" | sort -g | awk -v what="$2" '
        { v[NR] = $1 }
        END { print v[what == "kib" ? NR : int((NR + 1) / 2)] }'
}

# row WHAT OURS UNIT PEER-NAME PEER RATIO ASKED: ASKED is ">= 16" and the like,
# held against RATIO where that is not empty, else against OURS; against OURS
# too where it begins with "ours "; nothing is asked where it is empty.
row()
{
    awk -v what="$1" -v ours="$2" -v unit="$3" -v name="$4" -v peer="$5" \
        -v ratio="$6" -v asked="$7" 'BEGIN {
        absolute = sub(/^ours /, "", asked)
        split(asked, a)
        v = (ratio != "" && !absolute ? ratio : ours) + 0
        # What is printed is judged: three digits behind the point.
        v = sprintf("%.3f", v) + 0
        ok = a[1] == ">=" ? v >= a[2] + 0 : v <= a[2] + 0
        beside = name == "" ? "" : sprintf("%s %.3f", name, peer)
        printf "%-36s %9.3f %-8s %-21s %8s  %-8s %s\n", what, ours, unit,
               beside, ratio == "" ? "" : sprintf("%.2f x", ratio), asked,
               asked == "" ? "" : ok ? "ok" : "MISSED"
    }'
}
div() { awk -v a="$1" -v b="$2" 'BEGIN { print (b > 0 ? a / b : 0) }'; }

# number FIELD FILE: out of the last line, a summary as JSON.
number() { tail -n 1 "$2" | sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p"; }

printf 'medians of %s runs; %s processors, load %s\n' "$RUNS" \
    "$(nproc 2>/dev/null || echo '?')" \
    "$(cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo '?')"
echo 'wall-clock figures (-j2, search) mean something on an idle machine only'

# ---- rules ----

printf '\nrules: perft 5 from the start, 133,312,995 leaves\n'
LEAVES=133312995
# A file, since a peer that reads a pipe late would wait in its CPU time.
printf '%s\n' uci 'setoption name UCI_Variant value xiangqi' \
    'position startpos' 'go perft 5' quit >"$tmp/uci"
perft()
{
    local i
    for ((i = 0; i < RUNS; i++)); do
        run perft "$qipu" perft -j1 --depth 5 || return
        [ ! -x "$FAIRY" ] || run fairy "$FAIRY" <"$tmp/uci" || return
    done
    grep -q "nodes $LEAVES\$" "$tmp/perft.out" || fail "wrong perft"
    local ours peer
    ours=$(div $LEAVES "$(cost perft user)")
    ours=$(div "$ours" 1000000)
    if [ ! -x "$FAIRY" ]; then
        skipped "leaves a second of user CPU" "fairy-stockfish is not installed"
        printf '%-36s %9.3f M/s\n' "  ours alone" "$ours"
        return
    fi
    grep -q "$LEAVES" "$tmp/fairy.out" || fail "fairy-stockfish counts others"
    peer=$(div $LEAVES "$(cost fairy user)")
    peer=$(div "$peer" 1000000)
    row "leaves a second of user CPU" "$ours" M/s fairy-stockfish "$peer" \
        "$(div "$ours" "$peer")" ">= 16"
}
perft

# ---- the engine's search ----

printf '\nengine: the positions of qipu bench, hash tables of 16 MiB\n'
"$qipu" bench --json --depth 1 | sed -n 's/.*"fen":"\([^"]*\)".*/\1/p' >"$tmp/fens"

# Nodes are what each program counts; CPU time is the whole process's.
nodes()
{
    local i ours peer n
    for ((i = 0; i < RUNS; i++)); do
        run nodes "$qipu" bench --json --depth 15 || return
        [ ! -x "$FAIRY" ] ||
            run fairy-nodes "$FAIRY" bench xiangqi 16 1 60000 "$tmp/fens" \
                nodes classical || return
    done
    ours=$(div "$(number nodes "$tmp/nodes.out")" "$(cost nodes cpu)")
    ours=$(div "$ours" 1000000)
    if [ ! -x "$FAIRY" ]; then
        skipped "nodes a second of CPU" "fairy-stockfish is not installed"
        printf '%-36s %9.3f M/s\n' "  ours alone" "$ours"
        return
    fi
    n=$(sed -n 's/^Nodes searched *: *//p' "$tmp/fairy-nodes.out")
    [ "${n:-0}" -gt 0 ] || { fail "fairy-stockfish counts no nodes"; return; }
    peer=$(div "$(div "$n" "$(cost fairy-nodes cpu)")" 1000000)
    row "nodes a second of CPU" "$ours" M/s fairy-stockfish "$peer" \
        "$(div "$ours" "$peer")" ">= 5"
}
nodes

# The ratio is the median of the positions' ratios, the times are sums.
threads()
{
    local i j n=0 fen
    if [ "$(nproc 2>/dev/null || echo 1)" -lt 2 ]; then
        skipped "two threads to a depth" "one processor"
        return
    fi
    while read -r fen && [ $((n += 1)) -le 12 ]; do
        for j in 1 2; do
            printf '%s\n' uci "setoption name Threads value $j" \
                "position fen $fen" "go depth 18" >"$tmp/depth$j"
        done
        for ((i = 0; i < RUNS; i++)); do
            for j in 1 2; do
                run "depth$j-$n" "$qipu" engine <"$tmp/depth$j" || return
            done
        done
        echo "$(cost "depth1-$n" wall) $(cost "depth2-$n" wall)"
    done <"$tmp/fens" >"$tmp/depths"
    row "two threads to depth 18, wall clock" \
        "$(awk '{ s += $2 } END { print s }' "$tmp/depths")" s "one thread" \
        "$(awk '{ s += $1 } END { print s }' "$tmp/depths")" \
        "$(awk '{ print $1 / ($2 > 0 ? $2 : 1) }' "$tmp/depths" | sort -g | awk '
            { v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }')" \
        ">= 1.3"
}
threads

# ---- games ----

# against WHAT OURS ICONV TIMES: CPU time, as a multiple of iconv's beside it.
against()
{
    row "$1, CPU" "$(cost "$2" cpu)" s iconv "$(cost "$3" cpu)" \
        "$(div "$(cost "$2" cpu)" "$(cost "$3" cpu)")" "<= $4"
}
# twice WHAT ONE TWO TIMES: how much faster two threads are.
twice()
{
    row "$1 -j2, wall clock" "$(cost "$3" wall)" s "-j1" "$(cost "$2" wall)" \
        "$(div "$(cost "$2" wall)" "$(cost "$3" wall)")" ">= $4"
}
# judged RULES TIMES: what verify --rules costs, as a multiple of verify.
judged()
{
    row "verify --rules $1, user CPU" "$(cost "verify-$1" user)" s "--rules none" \
        "$(cost verify user)" \
        "$(div "$(cost "verify-$1" user)" "$(cost verify user)")" "<= $2"
}
mib() { div "$(cost "$1" kib)" 1024; }

verify()
{
    local i
    for ((i = 0; i < RUNS; i++)); do
        OUT=/dev/null run iconv-verify iconv -c -f BIG5 -t UTF-8 "$ccpd" || return
        run verify "$qipu" verify -j1 "$ccpd" || return
        run verify2 "$qipu" verify -j2 "$ccpd" || return
        run verify-asian "$qipu" verify --rules asian -j1 "$ccpd" || return
        run verify-cxa "$qipu" verify --rules cxa -j1 "$ccpd" || return
    done
    cmp -s "$tmp/verify.out" "$tmp/verify2.out" || fail "-j changes the output"
    against verify verify iconv-verify 2.0
    row "verify, peak memory" "$(mib verify)" MiB "" "" "" "<= 64"
    twice verify verify verify2 1.7
    judged asian 1.5
    judged cxa 2
}

import()
{
    local i db=$tmp/games.db
    for ((i = 0; i < RUNS; i++)); do
        OUT=/dev/null run iconv-import iconv -c -f BIG5 -t UTF-8 "$ccpd" || return
        rm -f "$db"*
        run import "$qipu" import -j1 --json -d "$db" "$ccpd" || return
        rm -f "$db"*
        run import2 "$qipu" import -j2 --json -d "$db" "$ccpd" || return
    done
    [ "$(number added "$tmp/import2.out")" -gt 0 ] || fail "import adds nothing"
    against import import iconv-import 4.2
    row "import, peak memory" "$(mib import)" MiB "" "" "" "<= 300"
    twice import import import2 1.4
    run info "$qipu" db info --json "$db" || return
    local games plies names index
    games=$(number games "$tmp/info.out") plies=$(number plies "$tmp/info.out")
    names=$(number bytes_names "$tmp/info.out")
    index=$(number bytes_index "$tmp/info.out")
    names=$((names + $(number bytes_games "$tmp/info.out")))
    row "a game with headers and names" "$(div $names "$games")" bytes "" "" \
        "" "<= 140"
    row "index, a ply" "$(div "$index" "$plies")" bytes "" "" "" "<= 8"
    search
}

# Cold: a process each time.  The first 20 games of many, and all of a few.
search()
{
    local i opening='h2e2 h9g7 h0g2 i9h9 i0h0' later common rare
    later="$opening g6g5 h0h6 b9c7 b0c2 c6c5 b2a2"
    common=$("$qipu" show --json --moves "$opening" |
        sed 's/.*"fen":"\([^"]*\)".*/\1/')
    rare=$("$qipu" show --json --moves "$later" |
        sed 's/.*"fen":"\([^"]*\)".*/\1/')
    for ((i = 0; i < 4 * RUNS + 1; i++)); do
        run common "$qipu" search -d "$db" --limit 20 --fen "$common" || return
        run rare "$qipu" search -d "$db" --fen "$rare" || return
    done
    answer "search --fen, 20 games of many, wall" common
    answer "search --fen, all of $(grep -c . "$tmp/rare.out"), wall" rare
}
# Milliseconds by the clock, with the CPU's beside them for a busy machine.
answer()
{
    row "$1" "$(div "$(cost "$2" wall)" 0.001)" ms CPU \
        "$(div "$(cost "$2" cpu)" 0.001)" "" "<= 10"
}

# median_of PATTERN: of the last numbers of matching lines in bench_book's runs.
median_of()
{
    sed -n "s|^$1: *\([0-9.]*\).*|\1|p" "$tmp/books" | sort -g |
        awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

book()
{
    local i
    for ((i = 0; i < RUNS; i++)); do
        OUT=/dev/null run iconv-build iconv -c -f BIG5 -t UTF-8 "$ccpd" || return
        run build "$qipu" book build -j1 --json -o "$tmp/book" "$ccpd" || return
    done
    against "book build" build iconv-build 3.5
    row "book build, peak memory" "$(mib build)" MiB "" "" "" "<= 300"
    row "a move, all of the file counted" "$(div \
        "$(number bytes "$tmp/build.out")" "$(number moves "$tmp/build.out")")" \
        bytes "" "" "" "<= 12"
    if [ -z "$bench_book" ]; then
        skipped "look-up, merge" "no bench_book was given"
        return
    fi
    for ((i = 0; i < RUNS; i++)); do
        "$bench_book" "$ccpd" >>"$tmp/books" 2>"$tmp/books.err" || {
            fail "bench_book failed: $(tail -n 1 "$tmp/books.err")"
            return
        }
    done
    row "look-up in memory, median" "$(median_of 'look-up, median')" us \
        "" "" "" "<= 2"
    row "merge, positions a second, CPU" "$(median_of \
        'merge, all different, positions read by CPU time')" M/s "" "" "" ">= 10"
    row "merge, positions a second, wall" "$(median_of \
        'merge, all different, by wall clock')" M/s "" "" "" ">= 10"
}

# Ten times as many games as CCPD has, nearly all different.
large()
{
    local games=$dir/large.pgn
    printf '\nten times as many games, made up\n'
    if [ ! -e "$games" ]; then
        "$gen_games" 420000 1 big5 >"$tmp/large" || { fail gen_games; return; }
        mv "$tmp/large" "$games"
    fi
    run import-large "$qipu" import -j2 --json -d "$tmp/large.db" "$games" || return
    row "import, peak memory" "$(mib import-large)" MiB "" "" "" "<= 300"
    rm -f "$tmp/large.db"*
    run build-large "$qipu" book build -j2 --json -o "$tmp/large.book" "$games" ||
        return
    row "book build, peak memory" "$(mib build-large)" MiB "" "" "" "<= 300"
    rm -f "$tmp/large.book"*
}

# The cost of a judgement: medians over tests/data/repetition.tsv.
referee()
{
    local i rules
    for ((i = 0; i < RUNS; i++)); do
        "$bench_referee" >>"$tmp/referee" || { fail "bench_referee failed"; return; }
    done
    for rules in Asian Chinese; do
        row "a window of 8 plies, $rules rules" "$(sed -n \
            "s|^$rules window, for 8 plies, median us ||p" "$tmp/referee" |
            sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }')" \
            us "" "" "" "<= 20"
    done
}

# ---- other formats, out of uncompressed archives ----

# archive NAME FOLDER: build/bench/NAME.tar of all that is in FOLDER.
archive()
{
    tar -cf "$tmp/$1.tar" -C "$2" . && mv "$tmp/$1.tar" "$dir/$1.tar"
    rm -rf "$2"
}

# Archives unpacked into a folder each: names occur in several.
xqf_tar()
{
    local n=0 f
    for f in "$SHARED"/data/xqf/*.tar.gz; do
        mkdir -p "$tmp/xqf/$((++n))"
        tar -xzf "$f" -C "$tmp/xqf/$n" || return
    done
    archive xqf "$tmp/xqf"
}

cbl_tar()
{
    cp -R "$SHARED/data/cbl" "$tmp/cbl" &&
        find "$tmp/cbl" -name '*.gz' -exec gzip -d {} + &&
        archive cbl "$tmp/cbl"
}

# There are few real ones: the games of CBL, a file each.
dhtmlxq_tar()
{
    mkdir "$tmp/ubb" &&
        "$qipu" convert -q --to dhtmlxq "$dir/cbl.tar" >"$tmp/ubb.all"
    [ -s "$tmp/ubb.all" ] || return # status 1: some games are faulty
    awk -v dir="$tmp/ubb" '
        { print >(dir "/" games + 0 ".ubb") }
        /^\[\/DhtmlXQ\]/ { close(dir "/" games + 0 ".ubb"); games++ }
    ' "$tmp/ubb.all" && rm "$tmp/ubb.all" && archive dhtmlxq "$tmp/ubb"
}

# format NAME TITLE: what reading costs, beside what tar takes to hand the same
# bytes out.
format()
{
    local i tar=$dir/$1.tar nodes games cpu
    [ -e "$tar" ] || "$1_tar" || { fail "no $tar"; return; }
    run "nodes-$1" "$bench_reader" "$tar" || return
    nodes=$(sed -n 's/.* nodes \([0-9]*\) .*/\1/p' "$tmp/nodes-$1.out")
    for ((i = 0; i < RUNS; i++)); do
        OUT=/dev/null run "tar-$1" tar -xOf "$tar" || return
        run "$1" "$qipu" verify -j1 --json "$tar" || return
    done
    games=$(number games "$tmp/$1.out") cpu=$(cost "$1" cpu)
    [ "${games:-0}" -gt 0 ] && [ "${nodes:-0}" -gt 0 ] || {
        fail "no games in $tar"
        return
    }
    local ratio
    printf '%s: %s games, %s nodes, %s bytes\n' "$2" "$games" "$nodes" \
        "$(wc -c <"$tar")"
    ratio=$(div "$cpu" "$(cost "tar-$1" cpu)")
    row "$2, a node" "$(div "$cpu" "$(div "$nodes" 1000000000)")" ns \
        "tar -xO" "$(div "$(cost "tar-$1" cpu)" "$(div "$nodes" 1000000000)")" \
        "$ratio" "ours <= 400"
    row "$2, games a second" "$(div "$games" "$cpu")" "" "tar -xO" \
        "$(div "$games" "$(cost "tar-$1" cpu)")" "$ratio" "ours >= 10000"
    row "$2, peak memory" "$(mib "$1")" MiB "" "" "" "<= 64"
}

formats()
{
    if [ ! -d "$SHARED/data/xqf" ] || [ ! -d "$SHARED/data/cbl" ]; then
        printf 'not there\n'
        skipped "XQF, CBL, DhtmlXQ" "no games in $SHARED/data (QIPU_SHARED)"
        return
    elif [ -z "$bench_reader" ]; then
        printf 'who counts nodes?\n'
        skipped "XQF, CBL, DhtmlXQ" "no bench_reader was given"
        return
    fi
    printf 'in %s/{xqf,cbl,dhtmlxq}.tar; ratios are of CPU times\n' "$dir"
    format xqf XQF
    format cbl CBL
    format dhtmlxq DhtmlXQ
    largest_tree
    run everything "$qipu" verify -j1 --json "$SHARED/data" || return
    row "$(number games "$tmp/everything.out") games of all kinds, memory" \
        "$(mib everything)" MiB "" "" "" "<= 64"
}

# A game lives in memory as a whole: the largest tree known says what that
# means.  (226,491 moves are stored; ten variations end at an illegal one.)
largest_tree()
{
    local tree
    tree=$(find "$SHARED/data/xqf" -name '黑用开局库.XQF' | head -n 1)
    [ -n "$tree" ] || { skipped "the largest tree" "not there"; return; }
    run nodes-tree "$bench_reader" "$tree" || return
    run tree "$qipu" verify -j1 "$tree" || return
    row "a tree of $(sed -n 's/.* nodes \([0-9]*\) .*/\1/p' \
        "$tmp/nodes-tree.out") nodes, peak memory" "$(mib tree)" MiB "" "" "" ""
}

bench_book='' bench_reader='' bench_referee='' gen_games='' parts=()
for b in "$@"; do
    case ${b##*/} in
    bench_book) bench_book=$b ;;
    bench_reader)
        bench_reader=$b
        parts+=("$b")
        ;;
    bench_referee)
        bench_referee=$b
        parts+=("$b")
        ;;
    gen_games) gen_games=$b ;;
    gen_*) ;; # they write files
    *) parts+=("$b") ;;
    esac
done

printf '\ngames: CCPD in Big5, '
ccpd=$dir/ccpd.pgn
set_of=("$SHARED"/data/pgn/ccpd/*.pgn.gz)
if [ -e "${set_of[0]}" ] && {
    [ ! -e "$ccpd" ] || [ "${set_of[0]}" -nt "$ccpd" ]
}; then
    gzip -dc "${set_of[@]}" >"$tmp/ccpd" && mv "$tmp/ccpd" "$ccpd"
fi
if [ -e "$ccpd" ]; then
    printf '%s bytes joined in %s\n' "$(wc -c <"$ccpd")" "$ccpd"
    verify
    import
    book
else
    printf 'not there\n'
    for what in verify import search "book build, look-up, merge"; do
        skipped "$what" "no games in $SHARED/data/pgn/ccpd (QIPU_SHARED)"
    done
fi

if [ -n "$bench_referee" ]; then
    printf '\nreferee: windows of tests/data/repetition.tsv\n'
    referee
fi

printf '\nother formats: '
formats

[ -z "$gen_games" ] || [ "${LARGE:-0}" = 0 ] || large

# ---- parts: a program's line ends with the number that it measured ----

printf '\nparts\n'
for b in "${parts[@]}"; do
    case ${b##*/} in
    bench_reader)
        # Reads files; the last number of its line is ns a node.
        [ -e "$ccpd" ] || { skipped bench_reader "no games"; continue; }
        command=("$b" "$ccpd")
        ;;
    *) command=("$b") ;;
    esac
    : >"$tmp/all"
    for ((i = 0; i < RUNS; i++)); do
        "${command[@]}" >>"$tmp/all" 2>/dev/null || { fail "${b##*/} failed"; break; }
    done
    # Lines that differ in that number only are runs of the same measurement.
    awk -v name="${b##*/}" '{
        at = 0
        for (i = 2; i <= NF; i++)
            if ($i ~ /^[0-9]+(\.[0-9]+)?$/)
                at = i
        if (!at)
            next
        v = $at
        $at = "@"
        sub(/ seconds [0-9.]+/, "") # bench_reader: differs each time
        if (!($0 in n))
            order[++lines] = $0
        value[$0, ++n[$0]] = v
    }
    END {
        for (l = 1; l <= lines; l++) {
            k = order[l]
            for (i = 2; i <= n[k]; i++) # insertion sort: few runs
                for (j = i; j > 1 && value[k, j - 1] + 0 > value[k, j] + 0; j--) {
                    t = value[k, j]
                    value[k, j] = value[k, j - 1]
                    value[k, j - 1] = t
                }
            v = value[k, int((n[k] + 1) / 2)]
            split(k, part, "@")
            printf "  %-14s %-30s %9s%s\n", name, part[1], v, part[2]
        }
    }' "$tmp/all"
done
exit $status
