#!/bin/bash
# Install what building and checking need, where that is allowed; else name it.
#
#   .ci/deps.sh      exit 0: all that `make all` and `make test` need is there
#
# Only Debian and its relatives are known.  Elsewhere, and without root, the
# packages are named by their Debian names.
set -u

# What the build and the tests cannot do without, and what more `make check`
# and `make fuzz` use (they skip what they lack).
NEEDED="gcc libc6-dev make liblmdb-dev zlib1g-dev libarchive-dev libzstd-dev
libxxhash-dev libexpat1-dev libsqlite3-dev libcmocka-dev"
WANTED="clang clang-format libclang-rt-14-dev"

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
CC=${CC:-cc}

have() { command -v "$1" >/dev/null 2>&1; }

# links COMPILER 'INCLUDES' FLAGS...: does such a program compile and link?
links()
{
    local cc=$1 includes=$2
    shift 2
    printf '%s\nint main(void) { return 0; }\n' "$includes" >"$tmp/t.c"
    "$cc" -o "$tmp/t" "$tmp/t.c" "$@" >/dev/null 2>&1
}

# What counts is whether the thing works, not who installed it.
is_there()
{
    case $1 in
    gcc) have gcc || have "$CC" ;;
    libc6-dev) links "$CC" '#include <stdio.h>' ;;
    liblmdb-dev) links "$CC" '#include <lmdb.h>' -llmdb ;;
    zlib1g-dev) links "$CC" '#include <zlib.h>' -lz ;;
    libarchive-dev) links "$CC" '#include <archive.h>' -larchive ;;
    libzstd-dev) links "$CC" '#include <zstd.h>' -lzstd ;;
    libxxhash-dev)
        links "$CC" '#define XXH_INLINE_ALL
#include <xxhash.h>'
        ;;
    libexpat1-dev) links "$CC" '#include <expat.h>' -lexpat ;;
    libsqlite3-dev) links "$CC" '#include <sqlite3.h>' -lsqlite3 ;;
    libcmocka-dev)
        links "$CC" '#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>' -lcmocka
        ;;
    libclang-rt-*)
        # Named after its compiler's version: any that works will do.
        printf '#include <stddef.h>\n#include <stdint.h>\n%s\n' \
            'int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n);
             int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n)
             { return d && n > 9 ? 0 : 0; }' >"$tmp/f.c"
        clang -fsanitize=fuzzer,address -o "$tmp/f" "$tmp/f.c" >/dev/null 2>&1
        ;;
    *) have "$1" ;;
    esac
}

missing()
{
    local p
    for p in $1; do
        is_there "$p" || printf ' %s' "$p"
    done
}

need=$(missing "$NEEDED")
want=$(missing "$WANTED")
[ -z "$need$want" ] && exit 0

sudo=
may_install()
{
    have apt-get || return 1
    [ "$(id -u)" = 0 ] && return 0
    sudo="sudo -n"
    have sudo && sudo -n true 2>/dev/null
}

install()
{
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -y -q \
        --no-install-recommends -o Dpkg::Use-Pty=0 \
        -o DPkg::Lock::Timeout=300 install "$@" \
        </dev/null >"$tmp/apt.log" 2>&1
}

# Fresh machines have no package lists, old ones outdated ones: fetch them only
# when the first attempt fails.
updated=
try_install()
{
    [ $# -gt 0 ] || return 0
    echo "installing:$(printf ' %s' "$@")" >&2
    install "$@" && return 0
    if [ -z "$updated" ]; then
        updated=yes
        $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q update \
            </dev/null >"$tmp/update.log" 2>&1 ||
            tail -n 3 "$tmp/update.log" >&2
        install "$@" && return 0
    fi
    tail -n 5 "$tmp/apt.log" >&2
    return 1
}

if may_install; then
    # shellcheck disable=SC2086
    try_install $need
    # The checks' tools one by one: other releases may lack one of them.
    for p in $want; do
        case $p in
        libclang-rt-*)
            is_there "$p" && continue
            v=$(clang -dumpversion 2>/dev/null | cut -d. -f1)
            p=libclang-rt-${v:-14}-dev
            ;;
        esac
        try_install "$p"
    done
    need=$(missing "$NEEDED")
    want=$(missing "$WANTED")
fi

[ -z "$want" ] ||
    echo "not installed, some checks will be skipped:$want" >&2
if [ -n "$need" ]; then
    echo "missing Debian packages:$need" >&2
    echo "install them with: sudo apt-get install$need$want" >&2
    exit 1
fi
