#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The Python module, with Debian's python3 and the optimised library, since only a sanitized program could load a sanitized one; and the examples
# of docs/python.md, one after the other.
# needs: build test
set -eu
export PYTHONPATH=$HBG_SOURCE_DIR/python PYTHONDONTWRITEBYTECODE=1
/usr/bin/python3 -m pytest -q -p no:cacheprovider "$HBG_SOURCE_DIR/tests/python/module_test.py"

cp "$HBG_SOURCE_DIR/examples/diode-inductor/diode-inductor.hbg" diode.hbg
awk '/^```python/ { on = 1; print "#", NR; next } /^```/ { on = 0 } on' "$HBG_SOURCE_DIR/docs/python.md" >page.py
grep -c '^#' page.py >blocks
[ "$(cat blocks)" -ge 8 ] || { echo "only $(cat blocks) examples in docs/python.md" >&2; exit 1; }
/usr/bin/python3 page.py >page.txt || { echo 'an example of docs/python.md fails' >&2; exit 1; }
