#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# What `make install` puts down works from there, without the source tree: the command finds its components, and a
# program is compiled against the headers, the library and hbg.pc.
set -eu

cmake --install "$HBG_BUILD_DIR" --prefix "$PWD/usr" >install.log
unset HBG_PATH

usr/bin/hbg --version
for file in "$HBG_SOURCE_DIR"/lib/*.hbg; do
    [ ! -f "$file" ] || cmp "$file" "usr/share/hbg/lib/${file##*/}"
done
cp "$HBG_SOURCE_DIR/examples/diode-inductor/diode-inductor.hbg" model.hbg
usr/bin/hbg check model.hbg
usr/bin/hbg export c model.hbg -q -o exported # with the sources of the engine that were installed
[ -f exported/rt_ship.c ] && [ -f exported/main.c ]

cat >program.c <<'END'
#include <hbg/hbg.h>
#include <stdio.h>

int main(void) {
    hbg_session *session;
    hbg_model *model;
    if (hbg_session_new(NULL, &session) != HBG_OK) return 1;
    if (hbg_load_text(session, "m.hbg", "model m {}", 10, NULL, &model) == HBG_OK) puts(hbg_model_title(model));
    hbg_session_free(session);
    return 0;
}
END
# shellcheck disable=SC2046 # options, one per word
gcc -fsanitize=address,undefined program.c -o program $(PKG_CONFIG_PATH=$PWD/usr/lib/pkgconfig pkg-config --cflags --libs hbg)
[ "$(./program)" = m ]

# the Python module is where Debian's python3 looks below this prefix
[ -f usr/lib/python3/dist-packages/hbg/model.py ] && [ -f usr/lib/python3/dist-packages/hbg/py.typed ]
[ ! -e usr/lib/python3/dist-packages/hbg/__pycache__ ]
