#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Every example that a run accepts as an FMU of both versions, by co-simulation with the fixed step of the engine and under every rule of the importer.
# EXAMPLES names some of them, WAYS one of the two. An example whose own experiment ends with a verdict is not for the rules.
. "$HBG_SOURCE_DIR/tests/fmu/examples.sh"

soaked "${WAYS:-fixed strict}"
exit "$failed"
