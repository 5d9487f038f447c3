#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Libraries that few commands need are loaded only by those: the others start without them and their
# dependencies.
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"
models

# the loader lists the libraries at the start of a command
LD_TRACE_LOADED_OBJECTS=1 "$HBG_RELEASE" >begins
says begins libjansson
for library in hdf5 matio zip microhttpd curl gnutls ssl; do
    ! grep "lib$library" begins || fail "every command loads $library"
done

# A program may have the names of a library from elsewhere, as one that is linked to another build of HDF5: they are not taken for its own.
cat >other.c <<'END'
#include <stdlib.h>
int H5check_version(void);
int H5Fcreate(void);
int Mat_CreateVer(void);
int H5check_version(void) { abort(); }
int H5Fcreate(void) { abort(); }
int Mat_CreateVer(void) { abort(); }
END
printf 'OTHER_1 { *; };\n' >versions
"${CC:-cc}" -shared -fPIC -Wl,--version-script=versions other.c -o other.so
LD_PRELOAD=$PWD/other.so "$HBG_RELEASE" run good.hbg -q --stop 1ms -o other.h5 -o other.mat >out 2>err || { fail 'names from elsewhere are taken'; cat err >&2; }
for file in other.h5 other.mat; do [ -s "$file" ] || fail "$file is not written"; done

# Where one cannot be loaded, the command that needs it says which, why, and what to install; it leaves no file behind, and other
# commands go on.
mkdir broken
# shellcheck disable=SC2046 # one word per name
(cd broken && touch $(grep -aoE 'lib(hdf5_serial|matio|zip|microhttpd)\.so\.[0-9]+' "$HBG" | sort -u))
[ "$(find broken -type f | wc -l)" -eq 4 ] || fail "not the four libraries: $(ls broken)"
LD_LIBRARY_PATH=$PWD/broken
export LD_LIBRARY_PATH

# lacks LIBRARY PACKAGE: the last command has said so
lacks() {
    grep -q "a library cannot be loaded: .*/lib$1\.so\.[0-9]*: file too short; install the package $2" err || { fail "$1 is not told"; cat err >&2; }
}
run 0 run good.hbg -q --stop 1ms -o out.csv
run 2 run good.hbg -q --stop 1ms -o out.csv -o out.h5
says err 'out.h5'
lacks hdf5_serial libhdf5-dev
absent out.h5
run 2 run good.hbg -q --stop 1ms -o out.mat
lacks matio libmatio-dev
absent out.mat
run 2 export fmu good.hbg --stop 1ms --no-binary -o out.fmu
lacks zip libzip-dev
absent out.fmu
run 2 studio --no-open .
lacks microhttpd libmicrohttpd-dev
finish
