#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Examples that take long, as FMUs of FMI 3 and FMI 2 in turn: their descriptions are as they should be, and by co-simulation they end as `hbg run`
# does, with as many modes. EXAMPLES names some of them. The other rules and model exchange: export_soak.sh, exchange_soak.sh.
. "$HBG_SOURCE_DIR/tests/fmu/examples.sh"
export HBG="$HBG_OPTIMISED"

dear_ones
exit "$failed"
