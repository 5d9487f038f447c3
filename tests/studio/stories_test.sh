#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The shortest story of each panel, in one browser.
# needs: test
. "$HBG_SOURCE_DIR/tests/studio/studio.sh"

open_folder diode-inductor ball-printed-guards
stories run shell text diagram fault proofs export
stop TERM
finish
