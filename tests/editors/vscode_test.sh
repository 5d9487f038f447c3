#!/usr/bin/env bash
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# The extension for VS Code, as far as that can be without VS Code: manifest, levels, colours; and its client at work in an editor that is a stand-in.
# needs: test
set -e
timeout 60 node "$HBG_SOURCE_DIR/tests/editors/vscode.mjs"
timeout 60 node "$HBG_SOURCE_DIR/tests/editors/vscode_client.mjs" "$HBG"
