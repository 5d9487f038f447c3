#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# studio.sh [FOLDER|MODEL] [OPTION...]: builds hbg with the page of the studio, and opens it; on the examples if nothing is named.
# needs: build page
. "$(dirname "$0")/common.sh"

tools/packages.sh page
tools/build.sh
[ $# -gt 0 ] || set -- examples
exec build/hbg studio "$@"
