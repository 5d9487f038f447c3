#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# docs/gallery.md is what tools/gallery.sh makes of the examples, and every picture in it is there.
# needs: test
set -eu
export HBG="$HBG_OPTIMISED" # what it draws is compared: the sanitizers are for tests of the command

made=$PWD/made
(cd "$HBG_SOURCE_DIR" && tools/gallery.sh "$made")

if [ -n "${HBG_REFRESH:-}" ]; then
    cp "$made/gallery.md" "$HBG_SOURCE_DIR/docs/"
    cp "$made"/pictures/gallery-*.svg "$HBG_SOURCE_DIR/docs/pictures/"
fi
failed=0
diff "$HBG_SOURCE_DIR/docs/gallery.md" "$made/gallery.md" || {
    echo "docs/gallery.md is another one now; if it is good: HBG_REFRESH=1 tools/test.sh -R docs/gallery" >&2
    failed=1
}
# a run draws as many points as it has steps: what has to agree is that the pictures are there, and no others
ls "$made/pictures" >wanted
(cd "$HBG_SOURCE_DIR/docs/pictures" && ls gallery-*) >found
diff found wanted || {
    echo "docs/pictures has other pictures of the gallery than it needs" >&2
    failed=1
}
grep -o 'pictures/[a-z0-9-]*\.svg' "$made/gallery.md" >pictures
while read -r picture; do
    [ -s "$HBG_SOURCE_DIR/docs/$picture" ] || { echo "docs/$picture is missing" >&2; failed=1; }
done <pictures
[ "$(wc -l <wanted)" -ge 40 ] || { echo "the gallery is small: $(wc -l <wanted) pictures" >&2; failed=1; }
exit "$failed"
