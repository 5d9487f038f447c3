#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# All stories, in one browser.
# needs: test
. "$HBG_SOURCE_DIR/tests/studio/studio.sh"

export HBG_STUDIO_PATIENCE=300
open_folder diode-inductor ball-printed-guards adapt-experiment-1 elastic-pair three-phase-inverter adapt-testbed
stories run plots signs shell files text diagram edit units contrast fault faults campaign proofs export stop away million large
stop TERM
mkdir -p empty
start empty
stories build
stop TERM
finish
