#!/bin/bash
# Speed, measured so that it can be believed: runs of ours and of the peer take
# turns, the CPU time (user + system) of each is taken, and medians are
# compared.
#
#   tests/bench/bench.sh QIPU [MICRO...]
#
# RUNS (default 5) is how often each is run.  Peers that are not installed are
# left out.  Exit 1 when a ratio is below its target.
set -u
export LC_ALL=C
qipu=$1
shift
RUNS=${RUNS:-5}
status=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# cpu OUT COMMAND...: seconds of CPU time; the output goes to OUT.
cpu()
{
    local out=$1 TIMEFORMAT='%U %S'
    shift
    { time "$@" >"$out" 2>/dev/null </dev/null; } 2>&1 |
        awk '{ printf "%.3f\n", $1 + $2 }'
}

median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# row NAME OURS PEER UNIT TARGET: larger is better.
row()
{
    awk -v name="$1" -v ours="$2" -v peer="$3" -v unit="$4" -v target="$5" '
    BEGIN {
        if (peer == "")
            printf "%-28s %10.2f %-12s\n", name, ours, unit
        else {
            r = ours / peer
            ok = target == "" || r >= target
            printf "%-28s %10.2f %-12s peer %10.2f   ratio %6.1f%s\n", name,
                   ours, unit, peer, r,
                   target == "" ? "" : ok ? "  (target " target ")" \
                                          : "  BELOW TARGET " target
            exit !ok
        }
    }' || status=1
}

# versus NAME AMOUNT UNIT TARGET OURS PEER: OURS and PEER are functions (PEER
# may be empty) that do AMOUNT of work; the rates are compared.
versus()
{
    local name=$1 amount=$2 unit=$3 target=$4 ours=$5 peer=$6 i
    : >"$tmp/a"
    : >"$tmp/b"
    for ((i = 0; i < RUNS; i++)); do
        cpu "$tmp/out-a" "$ours" >>"$tmp/a"
        [ -z "$peer" ] || cpu "$tmp/out-b" "$peer" >>"$tmp/b"
    done
    rate() { median | awk -v n="$amount" '{ print n / ($1 > 0 ? $1 : 0.001) }'; }
    row "$name" "$(rate <"$tmp/a")" \
        "$([ -z "$peer" ] || rate <"$tmp/b")" "$unit" "$target"
}

# ---- perft of the start position, 5 plies: 133,312,995 leaves ----

fairy=$(command -v fairy-stockfish || echo /usr/games/fairy-stockfish)
[ -x "$fairy" ] || fairy=
our_perft() { "$qipu" perft -j1 --depth 5; }
fairy_perft()
{
    printf '%s\n' uci 'setoption name UCI_Variant value xiangqi' \
        'position startpos' 'go perft 5' quit | "$fairy"
}
versus "perft 5 (fairy-stockfish)" 133.312995 "Mnodes/s" "${fairy:+16}" \
    our_perft "${fairy:+fairy_perft}"
grep -q 'nodes 133312995$' "$tmp/out-a" || { echo "wrong perft"; status=1; }
if [ -n "$fairy" ] && ! grep -q '133312995' "$tmp/out-b"; then
    echo "the peer counts other nodes"
    status=1
fi

# ---- small ones: programs that print lines; a line's last number is measured ----

for b in "$@"; do
    : >"$tmp/all"
    for ((i = 0; i < RUNS; i++)); do
        "$b" >>"$tmp/all" 2>/dev/null || { echo "${b##*/} failed"; status=1; }
    done
    printf '\n%s, medians of %d runs:\n' "${b##*/}" "$RUNS"
    # Lines that differ in that number only are runs of the same measurement.
    awk '{
        at = 0
        for (i = 2; i <= NF; i++)
            if ($i ~ /^[0-9]+(\.[0-9]+)?$/)
                at = i
        if (!at)
            next
        v = $at
        $at = "@"
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
            printf "  %-28s %10s%s\n", part[1], v, part[2]
        }
    }' "$tmp/all"
done
exit $status
