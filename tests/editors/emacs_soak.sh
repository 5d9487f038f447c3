#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Emacs with its mode: colours and levels; and with eglot, its client of the language server: what is wrong, the repair, another name, completion, the
# canonical form.
set -euo pipefail

cat >broken.hbg <<'HBG'
model Broken {
    Se supply(12 [V]);
    R bulb(10 [Ohm]);
    1 loop;
    supply -> lop -> bulb;
}
HBG
timeout 120 emacs-nox --batch --no-init-file --load "$HBG_SOURCE_DIR/tests/editors/emacs.el" </dev/null
