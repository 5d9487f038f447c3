#!/bin/sh
# SPDX-FileCopyrightText: The hbg authors
# SPDX-License-Identifier: Apache-2.0
#
# hbg lsp over its standard input and output.
. "$HBG_SOURCE_DIR/tests/tool/tool.sh"

message() { printf 'Content-Length: %d\r\n\r\n%s' "${#1}" "$1"; }

{
    message '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
    message '{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///m.hbg","text":"import \"electrical.hbg\"; model M { Resistor r; }"}}}'
    message '{"jsonrpc":"2.0","id":2,"method":"shutdown"}'
    message '{"jsonrpc":"2.0","method":"exit"}'
} >talk.txt
"$HBG" lsp <talk.txt >answers || { echo "hbg lsp did not end properly" >&2; exit 1; }
grep -q '"serverInfo":{"name":"hbg"' answers
grep -q 'textDocument/publishDiagnostics' answers
if grep -q 'there is no file' answers; then # the library is found
    echo 'the library is not found' >&2
    exit 1
fi

code=0
printf 'nonsense\r\n\r\n' | "$HBG" lsp >answers || code=$?
[ "$code" = 1 ]
code=0
"$HBG" lsp file.hbg >answers 2>said </dev/null || code=$?
[ "$code" = 2 ]
grep -q 'takes no file' said
finish
