#!/bin/bash
# The layers: includes point down only (tools -> bookdb -> libpgn -> engine),
# private headers stay at home, and libraries leave the process alone.
set -u
cd "$(dirname "$0")/.." || exit 1
bad=0

# forbid MESSAGE PATTERN FILE...: no line may match.
forbid()
{
    local message=$1 pattern=$2 hits
    shift 2
    [ $# -gt 0 ] || return
    hits=$(grep -nE -- "$pattern" "$@" /dev/null) || return
    echo "$message:"
    printf '%s\n' "$hits" | sed 's/^/    /'
    bad=1
}

# may_include FOLDER ALLOWED FILE...
may_include()
{
    local folder=$1 allowed=$2 hits
    shift 2
    [ $# -gt 0 ] || return
    hits=$(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$@" \
        /dev/null | grep -vE "\"(($allowed)/[a-z0-9_]+\\.h|${folder}_[a-z0-9_]+\\.inc)\"") ||
        return
    echo "$folder/ may include only $allowed, with the folder's name:"
    printf '%s\n' "$hits" | sed 's/^/    /'
    bad=1
}

shopt -s nullglob
engine=(engine/*.[ch]) libpgn=(libpgn/*.[ch]) bookdb=(bookdb/*.[ch])
tools=(tools/*.[ch]) samples=(samples/*.c)
may_include engine 'engine' "${engine[@]}"
may_include libpgn 'libpgn|engine' "${libpgn[@]}"
may_include bookdb 'bookdb|libpgn|engine' "${bookdb[@]}"
may_include tools 'tools|bookdb|libpgn|engine' "${tools[@]}"
may_include samples 'bookdb|libpgn|engine' "${samples[@]}"

for f in engine libpgn bookdb; do
    others=()
    for g in "${libpgn[@]}" "${bookdb[@]}" "${tools[@]}" "${samples[@]}"; do
        [ "${g%%/*}" = $f ] || others+=("$g")
    done
    forbid "$f/internal.h is private" "\"$f/internal\\.h\"" "${others[@]}"
done

# Search sits beside the rules core; only tools/ and its own files see it.
core=()
for g in "${engine[@]}"; do
    case $g in
    engine/search* | engine/eval* | engine/tt.* | engine/mk*) ;;
    engine/protocol* | engine/uc[ci]*) ;;
    engine/weights.* | engine/movepick.c | engine/history.c | engine/see.c) ;;
    engine/repeat.c | engine/time.c) ;;
    *) core+=("$g") ;;
    esac
done
forbid "search is for tools/ only" \
    '"engine/(search|search_parts|tt|eval|weights)\.h"' "${core[@]}" \
    "${libpgn[@]}" "${bookdb[@]}"

# Libraries never print, exit, change the locale or catch signals.
library=()
for g in "${engine[@]}" "${libpgn[@]}" "${bookdb[@]}"; do
    case $g in
    */mk*) ;;
    *) library+=("$g") ;;
    esac
done
forbid "a library must not do that" \
    '(^|[^a-zA-Z0-9_])(printf|puts|putchar|perror|exit|_exit|abort|setlocale|signal|sigaction) ?\(' \
    "${library[@]}"
exit $bad
