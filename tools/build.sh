#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# build.sh: builds hbg, optimised, into build/. Says so when there is nothing to do.
# needs: build
. "$(dirname "$0")/common.sh"

phase "install packages" tools/packages.sh build
phase "build" build_tree release build | sed -u 's|^ninja: no work to do\.$|nothing to do: build/hbg is up to date|'
