#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Every example that a run accepts as an FMU of both versions, in co-simulation with communication steps of several lengths and in model exchange by
# forward Euler and CVODE: final values within bounds, as many modes as in a run. EXAMPLES names some of them, WAYS one of: variable sampled.
. "$HBG_SOURCE_DIR/tests/fmu/examples.sh"

soaked "${WAYS:-variable sampled}"
exit "$failed"
