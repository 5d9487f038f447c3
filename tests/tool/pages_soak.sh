#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# zsh and fish read their completions, and groff sets the manual page.
# needs: test soak
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

for topic in man zsh fish; do
    run 0 help $topic
    silent err
    mv out $topic
done
zsh -n ./zsh || fail 'zsh cannot read it'
fish --no-execute ./fish || fail 'fish cannot read it'
[ "$(fish -c 'source ./fish; complete -C "hbg run --zen"' | cut -f 1)" = --zeno ] || fail 'fish does not complete an option'
groff -man -Tutf8 -K utf8 -ww -z man 2>err || fail 'groff fails'
silent err
finish
