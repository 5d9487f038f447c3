#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# studio_pictures.sh: takes the pictures of docs/studio.md, in a light and a dark page.
# needs: build page test
. "$(dirname "$0")/common.sh"
tools/page.sh tests

export HBG=$PWD/build/hbg HBG_SOURCE_DIR=$PWD
for scheme in light dark; do
    tools/in_scratch.sh "$PWD/build/pictures" bash -c '
        . "$HBG_SOURCE_DIR/tests/studio/studio.sh"
        open_folder diode-inductor adapt-experiment-1 ball-printed-guards
        HBG_STUDIO_SCHEME=$1 stories pictures
        stop
        for picture in pictures-*.png; do
            cp "$picture" "$HBG_SOURCE_DIR/docs/pictures/studio-${picture#pictures-}"
        done
        finish' pictures "$scheme"
    [ "$scheme" = dark ] || for picture in diagram faults proofs; do cp "docs/pictures/studio-$picture.png" "build/light-$picture.png"; done
    [ "$scheme" = dark ] || cp docs/pictures/studio-run.png build/light-run.png
done
mv docs/pictures/studio-run.png docs/pictures/studio-run-dark.png
for picture in diagram run faults proofs; do mv "build/light-$picture.png" "docs/pictures/studio-$picture.png"; done
