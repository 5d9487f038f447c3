#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# docs/options.md has the options as `hbg help` lists them, which are those of the table in src/tool/tool_impl.h. HBG_REFRESH=1 writes the
# page anew.
# needs: test
set -eu

page=$HBG_SOURCE_DIR/docs/options.md
commands=$("$HBG" help | sed -n 's/^  \([a-z]*\) .*/\1/p' | grep -vx help)

# option, command, text: a line for each option of each command
for command in $commands; do
    "$HBG" help "$command" | awk -v command="$command" '
        /^Options:/ { inside = 1; next }
        !NF { inside = 0 }
        inside {
            option = substr($0, 3, 29); text = substr($0, 33)
            if (match($0, /^  .{1,60}[^ ] /) && substr($0, 32, 1) != " ") { option = substr($0, 3); text = "" }
            gsub(/^ +| +$/, "", option)
            sub(/^ +/, "", text)
            print option "\t" command "\t" text
        }'
done >lines
{
    printf '# Options\n\nEvery option of every command, as `hbg help COMMAND` tells them.\n\n'
    printf '| option | commands | what it does |\n|---|---|---|\n'
    awk -F '\t' '
        !($1 "\t" $3 in commands) { order[++count] = $1 "\t" $3 }
        { commands[$1 "\t" $3] = commands[$1 "\t" $3] (commands[$1 "\t" $3] ? ", " : "") $2 }
        END {
            for (i = 1; i <= count; i++) {
                split(order[i], part, "\t")
                gsub(/\|/, "\\|", part[1]); gsub(/\|/, "\\|", part[2])
                print "| `" part[1] "` | " commands[order[i]] " | " part[2] " |"
            }
        }' lines
} >options.md
[ -z "${HBG_REFRESH:-}" ] || cp options.md "$page"
cmp options.md "$page" || { diff "$page" options.md | head -20 >&2; exit 1; }
