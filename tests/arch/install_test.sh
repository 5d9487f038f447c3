#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# What `make install` puts down works from there, without the source tree: the command finds its components, and a
# program is compiled against the headers, the library and hbg.pc: with the sanitizers, and from the optimised tree with libhbg.so
# and with libhbg.a as docs/embedding.md says.
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
# link PREFIX WHAT...: the program links with what pkg-config says for libraries below the prefix, and runs
link() {
    prefix=$1
    shift
    rm -f program
    PKG_CONFIG_PATH=$PWD/$prefix/lib/pkgconfig LD_LIBRARY_PATH=$PWD/$prefix/lib sh -euc "$*"
    [ "$(LD_LIBRARY_PATH=$PWD/$prefix/lib ./program)" = m ]
}
# shellcheck disable=SC2016 # for the shell that link starts
link usr 'cc -fsanitize=address,undefined program.c -o program $(pkg-config --cflags --static --libs hbg)'

# whoever links to libhbg.so names no other library, and gets them by it; libhbg.a wants them all, and then no libhbg.so
cmake --install "$(dirname "$HBG_RELEASE")" --prefix "$PWD/opt" >>install.log
sed -n 's/^.*`\(cc program\.c [^`]*\)`.*$/\1/p' "$HBG_SOURCE_DIR/docs/embedding.md" >commands
[ "$(wc -l <commands)" -eq 2 ]
# needed: the libraries that the program names itself
needed() { objdump -p program | awk '$1 == "NEEDED" { print $2 }'; }
link opt "$(sed -n 1p commands) -o program"
[ "$(needed | grep -v '^libc\.')" = libhbg.so.0 ]
link opt "$(sed -n 2p commands) -o program"
needed >named
grep -q '^libz3\.' named
! grep hbg named || exit 1

# below /usr no folder is named, which a chroot tries (package_soak); here the file that is installed there
[ "$(PKG_CONFIG_PATH="$HBG_BUILD_DIR/package" pkg-config --cflags --libs hbg | tr -d ' ')" = -lhbg ]

# the Python module is where Debian's python3 looks below this prefix
[ -f usr/lib/python3/dist-packages/hbg/model.py ] && [ -f usr/lib/python3/dist-packages/hbg/py.typed ]
[ ! -e usr/lib/python3/dist-packages/hbg/__pycache__ ]
