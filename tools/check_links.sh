#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# check_links.sh [TOP]: every relative link of the Markdown files leads to a file, every #anchor to a heading of it.
# Addresses outside the tree are not asked.
top=${1:-}
. "$(dirname "$0")/common.sh"
cd "${top:-.}"

# links FILE: the targets of [text](target), images included; code is no text
links() {
    awk '/^ *(```|~~~)/ { code = !code; next } code { next }
         { gsub(/`[^`]*`/, "")
           while (match($0, /\]\([^()]*(\([^()]*\)[^()]*)*\)/)) {
               link = substr($0, RSTART + 2, RLENGTH - 3); $0 = substr($0, RSTART + RLENGTH)
               sub(/^</, "", link); sub(/>?( ".*")?$/, "", link); print link } }' "$1"
}

# anchors FILE: its headings as GitHub names them
anchors() {
    awk '/^(```|~~~)/ { code = !code; next } !code && /^#+ / {
         sub(/^#+ +/, ""); gsub(/[`*]/, ""); $0 = tolower($0); gsub(/ /, "-"); print }' "$1" |
        sed 's/[][!"#$%&'"'"'()+,.\/:;<=>?@\\^{|}~…—–·]//g'
}

bad=0
count=0
while IFS= read -r file; do
    while IFS= read -r link; do
        case $link in *://* | mailto:*) continue ;; esac
        count=$((count + 1))
        path=${link%%#*}
        where=$file
        [ -z "$path" ] || where=$(dirname "$file")/$path
        if [ ! -e "$where" ]; then
            echo "$file: no such file: $link" >&2
            bad=1
        elif [ "$link" != "${link#*#}" ] && ! anchors "$where" | grep -qxF -- "${link#*#}"; then
            echo "$file: no such heading: $link" >&2
            bad=1
        fi
    done < <(links "$file")
done < <(find . -path ./build -prune -o -path ./.git -prune -o -name '*.md' -print | sort)
[ "$bad" -ne 0 ] || echo "$count links lead somewhere"
exit "$bad"
