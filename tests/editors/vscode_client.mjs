// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// vscode_client.mjs HBG: the extension for VS Code with its own client, in an editor that is a stand-in: it starts what its settings name, and what it registers answers.
import Module, { createRequire } from 'node:module';
import { join } from 'node:path';
import { standIn } from './vscode_stand_in.mjs';
import { equal, ok } from '../studio/expect.mjs';

const [hbg] = process.argv.slice(2), root = process.env.HBG_SOURCE_DIR;
const fetched = createRequire(join(root, 'build/page/x.js'));
const text = 'model Broken {\n    Se supply(12 [V]);\n    R bulb(10 [Ohm]);\n    1 loop;\n    supply -> lop -> bulb;\n}\n';
const editor = standIn({ path: '/tmp/broken.hbg', language: 'hbg', text }, { 'hbg.command': hbg, 'hbg.include': [] });
const load = Module._load;
Module._load = function (name, ...more) {
    if (name === 'vscode') return editor.vscode;
    return load.call(this, name.startsWith('vscode-languageclient') ? fetched.resolve(name) : name, ...more);
};
const extension = createRequire(import.meta.url)(join(root, 'editors/vscode/extension.js'));
const until = async (what, test) => {
    for (let i = 0; i < 400; i++) {
        if (test()) return;
        await new Promise((resolve) => { setTimeout(resolve, 25); });
    }
    throw new Error(`it does not come to this: ${what}; told: ${editor.told.join('\n')}`);
};

await extension.activate();
await until('a diagnostic', () => editor.diagnostics().length === 1);
const [wrong] = editor.diagnostics();
ok(wrong.message.startsWith('nothing here is called `lop`'), `what is wrong: ${wrong.message}`);
equal([wrong.range.start.line, wrong.range.start.character, wrong.range.end.character].join(), '4,14,17', 'and where');
const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) };
const at = new editor.vscode.Position(2, 7);
const { registerHoverProvider: [hover], registerRenameProvider: [rename], registerCodeActionsProvider: [actions] } = editor.provided;
ok(JSON.stringify((await hover.provideHover(editor.document, at, token)).contents).includes('resistor'), 'what a name is');
const renamed = await rename.provideRenameEdits(editor.document, at, 'lamp', token);
equal([...renamed.edits.values()].flat().length, 2, 'another name, everywhere');
const [repair] = await actions.provideCodeActions(editor.document, wrong.range, { diagnostics: [wrong], triggerKind: 1 }, token);
equal([...repair.edit.edits.values()].flat()[0].newText, 'loop', 'the repair is an edit');
await extension.deactivate();
process.exit(0);
