#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The whole of experiment 1 of Virtual ADAPT, 20 s nominal and faulty: its numbers are where they have to be, they are those in the
# readme of the example, and it makes every picture of it that the documentation shows.
# needs: test
set -eu
export HBG="$HBG_OPTIMISED" # what it draws is compared: the sanitizers are for tests of the command

export XDG_CACHE_HOME="$PWD/cache"
"$HBG_SOURCE_DIR/tools/adapt_figures.sh" "$PWD/made" >rows
[ -z "${HBG_REFRESH:-}" ] || cp made/*.svg "$HBG_SOURCE_DIR/docs/pictures/"
[ "$(wc -l <rows)" -eq 6 ]
while read -r row; do
    grep -qxF "$row" "$HBG_SOURCE_DIR/examples/adapt-experiment-1/readme.md" || {
        echo "the readme of the example does not say: $row" >&2
        exit 1
    }
done <rows
(cd "$HBG_SOURCE_DIR/docs/pictures" && ls adapt-experiment-1*.svg) >shown
ls made >drawn
diff shown drawn
