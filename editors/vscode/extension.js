// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Starts `hbg lsp` and lets the editor speak with it.
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

function activate() {
    const settings = vscode.workspace.getConfiguration('hbg');
    const include = settings.get('include').flatMap((folder) => ['-I', folder]);
    const run = { command: settings.get('command'), args: ['lsp', ...include] };
    client = new LanguageClient('hbg', 'hbg', { run, debug: run }, {
        documentSelector: [{ language: 'hbg' }],
        synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher('**/*.hbg') },
    });
    return client.start().catch((error) => {
        void vscode.window.showErrorMessage(`hbg: \`${run.command} lsp\` does not start (${error.message}). Is hbg installed? The setting hbg.command says where it is.`);
    });
}

function deactivate() {
    return client?.stop();
}

module.exports = { activate, deactivate };
