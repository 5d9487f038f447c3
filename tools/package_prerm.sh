#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs before the Debian package is removed or replaced: Python compiles what it imports into a folder beside it, of which the
# package manager knows nothing.
set -e

rm -rf /usr/lib/python3/dist-packages/hbg/__pycache__
