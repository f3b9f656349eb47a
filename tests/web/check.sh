#!/bin/bash
# Pages of games, opened in Chromium: tests/web/*.test.mjs.
#
#   tests/web/check.sh PROGRAM      PROGRAM: a qipu, such as build/qipu
#
# Needs node 18 or newer, Debian's chromium and what package.json names; what is
# missing is installed where that is allowed, into build/web (nothing goes into
# the tree), else the tests are skipped, with the reason in one line.  Pages and
# screenshots stay in build/web/out.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
case $1 in
/*) QIPU=$1 ;;
*) QIPU=$PWD/$1 ;;
esac
work=$root/build/web
export QIPU DATA=$root/tests/data OUT=$work/out LC_ALL=C.UTF-8

# CI must not pass by skipping.
skip()
{
    echo "check-web: skipped: $*"
    [ "${CI:-}" != true ]
    exit
}

have() { command -v "$1" >/dev/null 2>&1; }

# package COMMAND PACKAGE
package()
{
    have "$1" && return
    [ "$(id -u)" = 0 ] && have apt-get || return
    echo "installing: $2" >&2
    for try in 1 2; do
        DEBIAN_FRONTEND=noninteractive apt-get -y -q --no-install-recommends \
            -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 install "$2" \
            </dev/null >"$work/apt.log" 2>&1 && return
        [ $try = 1 ] && apt-get -q update >"$work/apt.log" 2>&1
    done
    tail -n 3 "$work/apt.log" >&2
}

mkdir -p "$OUT"
package chromium chromium
package node nodejs
package npm npm
for c in node npm chromium; do
    have $c || skip "no $c"
done
node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)' ||
    skip "node $(node --version) is older than 18"
CHROMIUM=$(command -v chromium)
export CHROMIUM

# The tests are run where their packages are, so that node finds these.
cp "$root"/tests/web/*.mjs "$root"/tests/web/package*.json "$work"/ || exit 1
cd "$work" || exit 1
if ! cmp -s package-lock.json node_modules/.lock-used; then
    npm ci --ignore-scripts --no-audit --no-fund >npm.log 2>&1 ||
        skip "npm ci failed: $(grep -m 1 'npm ERR\|npm error' npm.log)"
    cp package-lock.json node_modules/.lock-used
fi
exec node --test --test-reporter="${WEB_REPORTER:-spec}" ./*.test.mjs
