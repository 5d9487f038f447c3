// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The extension for VS Code: every file that its manifest names is there and is what it should be, and its grammar, read by the library and the
// expressions that VS Code reads grammars with, colours as tests/editors/colours says.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { check, lines } from './colours.mjs';
import { equal, ok } from '../studio/expect.mjs';

const fetched = createRequire(join(process.env.HBG_SOURCE_DIR, 'build/page/x.js'));
const { Registry, INITIAL, parseRawGrammar } = fetched('vscode-textmate');
const { createOnigScanner, createOnigString, loadWASM } = fetched('vscode-oniguruma');
const extension = join(process.env.HBG_SOURCE_DIR, 'editors/vscode');
const read = (path) => readFileSync(join(extension, path), 'utf8');

// the manifest
const { main, engines, contributes, dependencies } = JSON.parse(read('package.json'));
ok(/^\^1\.\d+\.0$/.test(engines.vscode), 'the version of VS Code that is asked for');
ok(/^\d+\.\d+\.\d+$/.test(dependencies['vscode-languageclient']), 'the client is pinned');
const [language] = contributes.languages, [grammar] = contributes.grammars;
equal(language.extensions.join(), '.hbg', 'its files');
equal(grammar.language, language.id, 'the grammar is of that language');
ok(read(main).includes('hbg.command') || read(main).includes("get('command')"), 'the extension reads its settings');
for (const setting of Object.keys(contributes.configuration.properties)) ok(read(main).includes(`get('${setting.replace('hbg.', '')}')`), `it reads the setting ${setting}`);

// what an editor does by itself: comments, brackets, levels
const { comments, brackets, indentationRules, wordPattern } = JSON.parse(read(language.configuration));
equal(comments.lineComment, '//', 'line comments');
equal(brackets.map((pair) => pair.join('')).sort().join(' '), '() [] {}', 'brackets');
const opens = new RegExp(indentationRules.increaseIndentPattern), closes = new RegExp(indentationRules.decreaseIndentPattern);
let level = 0;
for (const line of lines) {
    if (closes.test(line)) level--;
    if (/^\s*\S/.test(line) && !/^\s*\/|^\s+R r\(1/.test(line)) equal(line.search(/\S/), 4 * level, `the level of ${line}`);
    if (opens.test(line) && !line.startsWith('/*')) level++;
}
equal('node.e*lamp'.match(new RegExp(wordPattern, 'g')).join(), 'node,e,lamp', 'words');

// the grammar
await loadWASM(readFileSync(fetched.resolve('vscode-oniguruma/release/onig.wasm')));
const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner, createOnigString }),
    loadGrammar: async (scope) => (scope === grammar.scopeName ? parseRawGrammar(read(grammar.path), 'hbg.json') : null),
});
const rules = await registry.loadGrammar(grammar.scopeName);
let stack = INITIAL;
const scopes = lines.map((line) => {
    const told = rules.tokenizeLine(line, stack);
    stack = told.ruleStack;
    return told.tokens;
});
const kinds = { comment: /^comment\./, keyword: /^keyword\.(?!operator)/, kind: /^storage\.type\./, domain: /^support\.type\.domain/, number: /^constant\.numeric/, unit: /^constant\.other\.unit/, text: /^string\./, word: /^constant\.language/ };
check('VS Code', (line, column) => {
    const scope = scopes[line].find(({ startIndex, endIndex }) => startIndex <= column && column < endIndex).scopes.at(-1);
    return Object.keys(kinds).find((kind) => kinds[kind].test(scope)) ?? 'name';
});
