#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The extension for VS Code, as far as that can be without VS Code: manifest, levels, colours.
# needs: test
timeout 60 node "$HBG_SOURCE_DIR/tests/editors/vscode.mjs"
