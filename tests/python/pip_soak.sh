#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# `pip install ./python` with Debian's pip and setuptools, and without a network: the module brings libhbg.so and the components along, and runs
# where neither the tree nor an installed hbg is.
# needs: build test soak
set -eu
unset PYTHONPATH HBG_LIBRARY HBG_PATH
export PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1

# setup.py puts what it builds beside itself
mkdir -p tree/include/hbg tree/build
cp -r "$HBG_SOURCE_DIR/python" "$HBG_SOURCE_DIR/lib" tree/
cp "$HBG_SOURCE_DIR/include/hbg/version.h" tree/include/hbg/
cp "$(dirname "$HBG_RELEASE")/libhbg.so" tree/build/

alone='' # in a network of its own, which leads nowhere
! unshare -rn true 2>/dev/null || alone='unshare -rn'
[ -n "$alone" ] || echo 'no network namespaces: pip is told to ask for nothing, but could'
(cd tree && $alone /usr/bin/python3 -m pip install --target ../installed ./python) >pip.log 2>&1 || { cat pip.log >&2; exit 1; }
rm -rf tree

cat >model.hbg <<'END'
import "electrical.hbg";
model Fed "a source of the library and a load" {
    VoltageSource source(voltage = 5 [V]);
    Ground ground;
    R load(10 [Ohm]);
    0 earth;
    0 node;
    source.p -> node -> load;
    earth -> source.n;
    earth -> ground.p;
    experiment e { stop 1 [ms]; record load.f; }
}
END
cat >program.py <<'END'
import os
import sys

import hbg

here = os.path.dirname(hbg.__file__)
assert here == os.path.join(os.getcwd(), "installed", "hbg"), here
with open("/proc/self/maps", encoding="utf-8") as maps:
    loaded = {line.split()[-1] for line in maps if "libhbg" in line}
assert loaded == {os.path.join(here, "libhbg.so")}, loaded
assert os.path.exists(os.path.join(here, "py.typed"))
assert hbg.load(sys.argv[1]).run()["load.f"][-1] == 0.5
END
PYTHONPATH=$PWD/installed /usr/bin/python3 program.py model.hbg
