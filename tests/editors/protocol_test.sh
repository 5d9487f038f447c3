#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# Another real client: the library that VS Code's own clients are made of, which refuses messages that are not of the protocol.
# needs: test
timeout 60 node "$HBG_SOURCE_DIR/tests/editors/protocol.mjs" "$HBG"
