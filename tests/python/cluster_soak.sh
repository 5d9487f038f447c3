#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Sweeps from Python on workers of dask.distributed, with Debian's packages.
# needs: build test soak
set -eu
export PYTHONPATH=$HBG_SOURCE_DIR/python PYTHONDONTWRITEBYTECODE=1
/usr/bin/python3 "$HBG_SOURCE_DIR/tests/python/cluster_soak.py"
