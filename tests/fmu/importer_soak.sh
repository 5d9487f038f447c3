#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The importer of FMUs notices every defect, with both versions of FMI.
export ALL=1
. "$HBG_SOURCE_DIR/tests/fmu/broken.sh"
