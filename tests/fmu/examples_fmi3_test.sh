#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The examples that examples_fmi2_test.sh leaves, as FMUs of FMI 3: the importer finds nothing, and they end as `hbg run` does. EXAMPLES names some of them.
. "$HBG_SOURCE_DIR/tests/fmu/examples.sh"
export HBG="$HBG_OPTIMISED"

every_other 3
exit "$failed"
