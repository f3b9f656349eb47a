# bash completion for qipu; the commands and options are asked from the program.
_qipu()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    local commands words first second
    COMPREPLY=()
    commands=$(qipu help 2>/dev/null |
        sed -n '/^Commands:/,/^$/s/^  \([a-z]*\( [a-z]*\)\{0,1\}\)  .*/\1/p')

    case $prev in
    --notation | --from | --to)
        words='iccs uci uci10 wxf wxf2018 fairy san san10 chinese'
        [ "$prev" = --to ] && words="$words all"
        [ "$prev ${COMP_WORDS[1]}" = '--to convert' ] &&
            words='pgn json dhtmlxq text'
        ;;
    --script) words='simplified traditional' ;;
    -o | --output | --pgn | --svg | --html | --cache | --quarantine | -d)
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        return
        ;;
    esac
    if [ -n "$words" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
        return
    fi

    first=1
    [ "${COMP_WORDS[1]}" = help ] && first=2
    if [ "$COMP_CWORD" -eq $first ]; then
        words=$(cut -d' ' -f1 <<<"$commands" | sort -u)
        [ $first -eq 1 ] && words="$words help --version"
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
        return
    fi
    # The second word of a family: "book build".
    words=$(sed -n "s/^${COMP_WORDS[first]} //p" <<<"$commands")
    if [ "$COMP_CWORD" -eq $((first + 1)) ] && [ -n "$words" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
        return
    fi
    case $cur in
    -*)
        [ -n "$words" ] && second=${COMP_WORDS[2]}
        words=$(qipu help "${COMP_WORDS[1]}" ${second:+"$second"} 2>/dev/null |
            grep -o -e '^  -[^ ,]*\(, --[a-z-]*\)\{0,1\}' | tr -d ',')
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
        ;;
    *) mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
    esac
}
complete -F _qipu qipu
