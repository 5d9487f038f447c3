// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// protocol.mjs HBG: asks `hbg lsp` by vscode-languageserver-protocol, which knows the types of every message.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { check, text as coloured } from './colours.mjs';
import { equal, ok } from '../studio/expect.mjs';

const rpc = createRequire(join(process.env.HBG_SOURCE_DIR, 'build/page/x.js'))('vscode-languageserver-protocol/node');
const server = spawn(process.argv[2], ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
const ended = new Promise((resolve) => { server.on('exit', resolve); });
const client = rpc.createProtocolConnection(new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));
const uri = 'file:///tmp/broken.hbg', textDocument = { uri };
const text = 'model Broken {\n    Se supply(12 [V]); // ä 𝄞\n    R bulb(10 [Ohm]);\n    1 loop;\n    supply -> lop -> bulb;\n}\n';
const at = (line, character) => ({ textDocument, position: { line, character } });

client.listen();
const told = new Promise((resolve) => { client.onNotification(rpc.PublishDiagnosticsNotification.type, resolve); });
const { capabilities } = await client.sendRequest(rpc.InitializeRequest.type, { processId: process.pid, rootUri: null, capabilities: {} });
for (const name of ['completion', 'hover', 'definition', 'references', 'rename', 'documentSymbol', 'signatureHelp', 'documentFormatting', 'semanticTokens', 'inlayHint', 'codeAction'])
    ok(capabilities[`${name}Provider`], `it offers ${name}`);
await client.sendNotification(rpc.InitializedNotification.type, {});
await client.sendNotification(rpc.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: 'hbg', version: 1, text } });
const { diagnostics } = await told;
equal(diagnostics.length, 1, 'what is wrong');
equal(JSON.stringify(diagnostics[0].range), JSON.stringify({ start: { line: 4, character: 14 }, end: { line: 4, character: 17 } }), 'and where');
const [repair] = await client.sendRequest(rpc.CodeActionRequest.type, { textDocument, range: diagnostics[0].range, context: { diagnostics } });
equal(repair.edit.changes[uri][0].newText, 'loop', 'the repair is an edit');
ok((await client.sendRequest(rpc.HoverRequest.type, at(2, 7))).contents.value.includes('resistor'), 'what a name is');
equal((await client.sendRequest(rpc.DefinitionRequest.type, at(4, 23))).range.start.line, 2, 'where it is declared');
equal((await client.sendRequest(rpc.ReferencesRequest.type, { ...at(2, 7), context: { includeDeclaration: true } })).length, 2, 'where it is read');
equal((await client.sendRequest(rpc.RenameRequest.type, { ...at(2, 7), newName: 'lamp' })).changes[uri].length, 2, 'another name, everywhere');
ok((await client.sendRequest(rpc.CompletionRequest.type, at(4, 16))).items.some(({ label }) => label === 'loop'), 'what could stand there');
equal((await client.sendRequest(rpc.DocumentSymbolRequest.type, { textDocument }))[0].name, 'Broken', 'the outline');

// colours, of each word by what it is
const other = { uri: 'file:///tmp/colours.hbg' };
await client.sendNotification(rpc.DidOpenTextDocumentNotification.type, { textDocument: { ...other, languageId: 'hbg', version: 1, text: coloured } });
const { data } = await client.sendRequest(rpc.SemanticTokensRequest.type, { textDocument: other });
const tokens = [];
for (let i = 0, line = 0, column = 0; i < data.length; i += 5) {
    column = data[i] ? data[i + 1] : column + data[i + 1];
    line += data[i];
    tokens.push({ line, from: column, to: column + data[i + 2], type: capabilities.semanticTokensProvider.legend.tokenTypes[data[i + 3]] });
}
const kinds = { comment: 'comment', keyword: 'keyword', type: 'kind', typeParameter: 'domain', number: 'number', macro: 'unit', string: 'text' };
check('hbg lsp', (line, column) => {
    const token = tokens.find(({ from, to, line: at }) => at === line && from <= column && column < to);
    return kinds[token?.type] ?? 'name';
}, { word: 'keyword' });
await client.sendRequest(rpc.ShutdownRequest.type);
await client.sendNotification(rpc.ExitNotification.type);
equal(await ended, 0, 'it ends when it is told to');
