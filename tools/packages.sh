#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# packages.sh GROUP...: makes sure the packages of these groups (file `packages`) are installed. Asks dpkg first, so
# that a machine that has everything needs neither network nor root.
set -eu
cd "$(dirname "$0")/.."

[ $# -gt 0 ] || { echo "usage: tools/packages.sh GROUP..." >&2; exit 2; }

wanted=$(for group; do
    found=$(awk -v group="$group" '$1 == group { print $2 }' packages)
    [ -n "$found" ] || { echo "packages.sh: no group '$group' in the file packages" >&2; exit 2; }
    echo "$found"
done)

# elsewhere than on Debian the names are a hint; cmake will say what is missing
command -v dpkg-query >/dev/null || exit 0

have=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' 2>/dev/null | sed -n 's/^.i *//p')
missing=$(printf '%s\n==\n%s\n' "$have" "$wanted" |
    awk '/^==$/ { asking = 1; next } !asking { have[$1] = 1; next } !have[$1]++ { print }')
missing=$(for package in $missing; do command -v "$package" >/dev/null || echo "$package"; done)
[ -n "$missing" ] || exit 0

# shellcheck disable=SC2086 # one word per package is meant
set -- $missing
as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "Packages are missing. As root:" >&2
        echo "  apt-get update && apt-get install -y --no-install-recommends $*" >&2
        exit 2
    fi
    as_root=sudo
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o Acquire::Retries=3 "$@" </dev/null >"$log" 2>&1
}
echo "installing: $*"
# one unreachable source need not matter: whether the packages are there is install's question
apt update || cat "$log" >&2
apt install -y --no-install-recommends "$@" || {
    cat "$log" >&2
    echo "packages.sh: cannot install: $*" >&2
    exit 2
}
