#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The importer of FMUs takes a good one and notices every defect; each defect of the code is tried with one version of FMI.
. "$HBG_SOURCE_DIR/tests/fmu/broken.sh"
