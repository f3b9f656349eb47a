# hostile.sh - the hostile matrix: a row a fault, with the outcome it must have.
# The golden cases verify/hostile-* source it, and end with `matrix`.
#
#   good FILE...                        the first and the last game of these no
#                                       fault may cost
#   row NAME EXIT GAMES FAULTY FILE...  verify FILEs
#   text NAME EXIT GAMES FAULTY         stdin, in one file with `before`, `after`
#   file NAME EXIT GAMES FAULTY         stdin, as a file between the two
#
# EXIT, GAMES and FAULTY are what a row states of all that is read.  Where it
# comes out otherwise, or a neighbour is not as it was, the line says WRONG and
# the case ends with status 1.

ends() # FILE...: the first and the last game, without what is said of them
{
    qipu convert -q --to json "$@" 2>/dev/null |
        sed -n -e 's/,"problems":.*//' -e '1p;$p'
}

good() { ends "$@" >neighbours; }

row()
{
    name=$1 stated="exit $2, games $3, faulty $4" state=ok
    shift 4
    qipu verify "$@" >out 2>&1
    outcome="exit $?, $(sed -n \
        's/^games \([0-9]*\),.* faulty \([0-9]*\),.*/games \1, faulty \2/p' out)"
    [ "$outcome" = "$stated" ] || state="WRONG ($stated)"
    ends "$@" | cmp -s - neighbours || state="WRONG (a neighbour) $state"
    [ "$state" = ok ] || echo "$name" >>wrong
    echo "$state $name: $outcome"
    sed -e '/^games [0-9]*, ok/d' -e 's/(tried: .*/(tried: ...)/' \
        -e 's/^/    /' out | uniq
}

text()
{
    cat before - after >row
    row "$@" row
}

file()
{
    cat >row
    row "$@" before row after
}

matrix() { [ ! -e wrong ]; }
