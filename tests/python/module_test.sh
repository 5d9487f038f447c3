#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The Python module, with Debian's python3 and the optimised library: a sanitized one can be loaded by sanitized programs alone.
# needs: build test
set -eu
PYTHONPATH=$HBG_SOURCE_DIR/python PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -m pytest -q -p no:cacheprovider "$HBG_SOURCE_DIR/tests/python/module_test.py"
