#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Kate's own highlighter reads the highlighting without a word of complaint and colours as tests/editors/colours says; the settings of its LSP client.
set -euo pipefail
export XDG_DATA_HOME=$PWD/data QT_QPA_PLATFORM=offscreen
kate="$HBG_SOURCE_DIR/tests/editors/kate.mjs"

mkdir -p data/org.kde.syntax-highlighting/syntax data/org.kde.syntax-highlighting/themes
cp "$HBG_SOURCE_DIR/editors/kate/hbg.xml" data/org.kde.syntax-highlighting/syntax
node "$kate" theme data/org.kde.syntax-highlighting/themes/own.theme
kate-syntax-highlighter -t 'Each its own' -o coloured.html "$HBG_SOURCE_DIR/tests/editors/colours.hbg" 2>complaints
[ ! -s complaints ] || { cat complaints >&2; exit 1; }
node "$kate" colours coloured.html
node "$kate" settings
