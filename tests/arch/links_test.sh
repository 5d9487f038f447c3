#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Every relative link of the documentation leads somewhere.
. "$HBG_SOURCE_DIR/tests/arch/arch.sh"

check_tree() {
    { "$HBG_SOURCE_DIR/tools/check_links.sh" "$1" >/dev/null; } 2>&1 || true
}

accept "$HBG_SOURCE_DIR"

put good/README.md '# Some words: `code` & more' '[a](docs/a.md) [b](docs/a.md#second-part) [c](#some-words-code--more)' \
    '```' '[not a link](nowhere)' '```' '[away](https://example.org/x) `[code](nowhere)` ![picture](docs/p.svg "title")'
put good/docs/a.md '# A' '## Second part'
put good/docs/p.svg ''
accept "$PWD/good"
put broken/README.md '[a](docs/a.md)'
reject "$PWD/broken" 'README.md: no such file: docs/a.md'
put heading/README.md '# A' '[a](#b)'
reject "$PWD/heading" 'README.md: no such heading: #b'
