# bash completion for qipu; commands and options are asked from the program.

# The words that may follow option $2 of command $1; "-": a file; nothing: the
# option takes no value, or one that cannot be guessed.
_qipu_values()
{
    local notations='iccs uci uci10 wxf wxf2018 fairy san san10 chinese'
    case $1/$2 in
    notation*/--to) echo "$notations all" ;;
    convert/--to) echo 'pgn json dhtmlxq text html xqf cbf' ;;
    show/--pieces) echo 'chinese western' ;;
    book*/--to) echo 'bookdat obk xqb csv json text' ;;
    */--to) echo 'pgn json' ;;
    */--notation | */--from) echo "$notations" ;;
    */--script) echo 'simplified traditional' ;;
    */--encoding) echo 'utf-8 gb18030 gbk big5' ;;
    */--input-encoding)
        echo 'utf-8 gb18030 gbk big5 utf-16le utf-16be windows-1258'
        ;;
    verify*/--rules) echo 'none asian cxa' ;;
    */--rules) echo 'asian cxa' ;;
    */--lang) echo 'en zh' ;;
    */--only)
        echo 'contradictions differences losses draws no-verdict at-end'
        ;;
    */--article)
        qipu referee --article all 2>/dev/null | cut -d' ' -f1
        echo all
        ;;
    */--result) echo '1-0 0-1 1/2-1/2 red black draw' ;;
    */--sort) echo 'id date red black event plies' ;;
    annotate/--book | annotate/--cache | annotate/--html) echo - ;;
    */-o | */--output | */-d | */--database | */--pgn | */--quarantine) echo - ;;
    esac
}

_qipu()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    local commands words first=1 name
    COMPREPLY=()
    commands=$(qipu help 2>/dev/null |
        sed -n '/^Commands:/,/^$/s/^  \([a-z]*\( [a-z][a-z]*\)\{0,1\}\)  .*/\1/p')

    [ "${COMP_WORDS[1]}" = help ] && first=2
    name=${COMP_WORDS[first]}
    if [ "$COMP_CWORD" -eq $first ]; then
        words=$(cut -d' ' -f1 <<<"$commands" | uniq)
        [ $first -eq 1 ] && words="$words help --version"
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
        return
    fi
    # The second word of a family: "book build".
    words=$(sed -n "s/^$name //p" <<<"$commands")
    if [ -n "$words" ]; then
        if [ "$COMP_CWORD" -eq $((first + 1)) ]; then
            mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
            return
        fi
        name="$name ${COMP_WORDS[first + 1]}"
    fi
    [ $first -eq 1 ] || return # nothing follows "help COMMAND"

    words=$(_qipu_values "$name" "$prev")
    if [ -n "$words" ] && [ "$words" != - ]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
        return
    fi
    if [[ $cur == -* && $words != - ]]; then
        # shellcheck disable=SC2086
        words=$(qipu help $name 2>/dev/null |
            grep -o -e '^  -[^ ,]*\(, --[a-z-]*\)\{0,1\}' | tr -d ',')
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
        return
    fi
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}
complete -F _qipu qipu

# The engine talks on its standard input; as an argument it knows these only.
complete -W '--help --version' qipu-engine
