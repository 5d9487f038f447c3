#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Every second example as an FMU of FMI 2: the importer finds nothing, and it ends as `hbg run` does. EXAMPLES names some of them; all of them with both
# versions: export_soak.sh.
. "$HBG_SOURCE_DIR/tests/fmu/examples.sh"
export HBG="$HBG_OPTIMISED"

every_other 2
exit "$failed"
