// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The language service in the text panel: completion, hover, colours, repairs, and by key: F2 renames, F12 goes to the definition,
// Shift-Alt-F brings the text into its canonical form. Questions and answers are those of the Language Server Protocol.
import { snippet } from '@codemirror/autocomplete';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, hoverTooltip, keymap } from '@codemirror/view';
import { askText } from './dialog.js';
import { h } from './dom.js';
import { ask } from './server.js';
import { studio } from './studio.js';

/** Asks about the present text: { uri, result }. A question that cannot be answered gives an error with the reason. */
export async function question(method, params = {}) {
    const { text, path } = studio.asked();
    const answer = await ask('lsp', { path, text, method, params });
    if (answer.error) throw new Error(answer.error.message);
    return answer;
}

// ---- places: both sides count units of UTF-16 --------------------------------------------------------------

export function placeOf(doc, offset) {
    const line = doc.lineAt(offset);
    return { line: line.number - 1, character: offset - line.from };
}

export function offsetOf(doc, { line, character }) {
    const at = doc.line(Math.min(line + 1, doc.lines));
    return Math.min(at.from + character, at.to);
}

/** Edits of the protocol as CodeMirror's. */
export function toChanges(doc, edits) {
    return edits.map(({ range, newText }) => ({ from: offsetOf(doc, range.start), to: offsetOf(doc, range.end), insert: newText }));
}

// ---- completion --------------------------------------------------------------------------------------------

const types = { 3: 'function', 6: 'variable', 7: 'class', 10: 'property', 11: 'constant', 13: 'enum', 14: 'keyword', 17: 'text', 20: 'enum', 21: 'constant', 25: 'type' };

function toOption(doc, item) {
    const template = item.textEdit.newText.replace(/\$(\d)/g, '$${$1}');
    return {
        label: item.label,
        detail: item.detail.length < 60 ? item.detail : '',
        info: item.documentation?.value || (item.detail.length < 60 ? undefined : item.detail),
        type: types[item.kind],
        boost: -Number(item.sortText),
        apply(view, completion, from, to) {
            snippet(template)(view, completion, from, to);
            if (item.additionalTextEdits) view.dispatch({ changes: toChanges(doc, item.additionalTextEdits) });
        },
    };
}

async function complete(context) {
    const word = context.matchBefore(/[A-Za-z_0-9]*/), before = context.state.sliceDoc(Math.max(0, word.from - 1), word.from);
    if (!context.explicit && word.from === word.to && !'.[('.includes(before || ' ')) return null;
    const doc = context.state.doc;
    const { result } = await question('textDocument/completion', { position: placeOf(doc, context.pos) });
    if (!result?.items.length || context.aborted) return null;
    const range = result.items[0].textEdit.range;
    return { from: offsetOf(doc, range.start), to: context.pos, options: result.items.map((item) => toOption(doc, item)), validFor: /^[A-Za-z_0-9]*$/ };
}

// ---- hover -------------------------------------------------------------------------------------------------

/** Text between fences is code; all other text is plain. */
function shown(markdown) {
    return markdown.split('```').map((part, i) => (i % 2 ? h('pre', {}, part.replace(/^hbg\n/, '').trim()) : h('p', {}, part.trim()))).filter((part) => part.textContent);
}

const hover = hoverTooltip(async (view, pos) => {
    const { result } = await question('textDocument/hover', { position: placeOf(view.state.doc, pos) }).catch(() => ({}));
    if (!result) return null;
    return {
        pos: offsetOf(view.state.doc, result.range.start),
        end: offsetOf(view.state.doc, result.range.end),
        create: () => ({ dom: h('div', { class: 'hover' }, shown(result.contents.value)) }),
    };
});

// ---- colours -----------------------------------------------------------------------------------------------

// kinds in the order of the service: their numbers are the types of tokens
const kinds = ['model', 'component', 'parameter', 'element', 'junction', 'bond', 'port', 'signal', 'automaton', 'state', 'instance', 'function', 'argument',
    'experiment', 'variable', 'keyword', 'kind', 'domain', 'unit', 'number', 'text', 'comment', 'operator', 'file'];
const marks = kinds.map((kind) => Decoration.mark({ class: `hbg-${kind}` }));
const colour = StateEffect.define();

const colours = StateField.define({
    create: () => Decoration.none,
    update(value, transaction) {
        for (const effect of transaction.effects) if (effect.is(colour)) return effect.value;
        return value.map(transaction.changes);
    },
    provide: (field) => EditorView.decorations.from(field),
});

function toMarks(doc, data) {
    const found = [];
    for (let i = 0, line = 0, character = 0; i + 4 < data.length; i += 5) {
        character = data[i] ? data[i + 1] : character + data[i + 1];
        line += data[i];
        const from = offsetOf(doc, { line, character }), to = offsetOf(doc, { line, character: character + data[i + 2] });
        if (to > from) found.push(marks[data[i + 3]].range(from, to));
    }
    return Decoration.set(found, true);
}

async function colourText(view) {
    const doc = view.state.doc;
    const { result } = await question('textDocument/semanticTokens/full').catch(() => ({}));
    if (result && view.state.doc === doc) view.dispatch({ effects: colour.of(toMarks(doc, result.data)) });
}

// ---- commands ----------------------------------------------------------------------------------------------

/** Edits of several files: those of the open file can be undone, the others are written. */
async function applyEdits(view, uri, edit) {
    const top = uri.slice(0, uri.length - encodeURI(studio.path).length);
    for (const [file, edits] of Object.entries(edit.changes)) {
        if (file === uri) {
            view.dispatch({ changes: toChanges(view.state.doc, edits) });
            continue;
        }
        if (!file.startsWith(top)) throw new Error(`${decodeURI(file)} is outside the folder.`);
        const path = decodeURI(file.slice(top.length));
        const { text, stamp } = await ask('read', { path });
        const state = EditorState.create({ doc: text });
        await ask('write', { path, text: state.update({ changes: toChanges(state.doc, edits) }).newDoc.toString(), stamp });
        studio.say(`Changed ${path} too.`);
    }
}

/** Work on the editor as a command of a key; errors are reported. */
export function command(work) {
    return (view) => {
        work(view).catch((error) => studio.say(error.message, 'warning'));
        return true;
    };
}

async function rename(view) {
    const position = placeOf(view.state.doc, view.state.selection.main.head);
    const { result } = await question('textDocument/prepareRename', { position });
    if (!result) throw new Error('There is no name here that could be changed.');
    const word = view.state.sliceDoc(offsetOf(view.state.doc, result.start), offsetOf(view.state.doc, result.end));
    const newName = await askText('Rename', 'New name', word);
    if (!newName || newName === word) return;
    const answer = await question('textDocument/rename', { position, newName });
    await applyEdits(view, answer.uri, answer.result);
}

async function goToDefinition(view) {
    const { uri, result } = await question('textDocument/definition', { position: placeOf(view.state.doc, view.state.selection.main.head) });
    if (!result) return;
    const there = () => studio.editor.reveal(result.range.start.line + 1, result.range.start.character + 1);
    if (result.uri === uri) there();
    else studio.emit('go to', { path: studio.shown(decodeURI(new URL(result.uri).pathname)), line: result.range.start.line + 1, there });
}

async function format(view) {
    const { result } = await question('textDocument/formatting', { options: {} });
    if (result?.length) view.dispatch({ changes: toChanges(view.state.doc, result) });
}

// ---- repairs -----------------------------------------------------------------------------------------------

/** The repairs of diagnostics, by their place: [{ from, name, apply }] as in CodeMirror's lint. */
export async function repairs(view) {
    const doc = view.state.doc;
    const range = { start: { line: 0, character: 0 }, end: placeOf(doc, doc.length) };
    const { uri, result } = await question('textDocument/codeAction', { range, context: { diagnostics: [] } });
    return (result ?? []).map((action) => ({
        from: offsetOf(doc, action.diagnostics[0].range.start),
        name: action.title,
        apply: command((at) => applyEdits(at, uri, action.edit)),
    }));
}

/** Everything above, as extensions of an editor; `changed` is called with the view when its text has changed. */
export function language() {
    let waiting;
    return [
        EditorState.languageData.of(() => [{ autocomplete: complete, commentTokens: { line: '//', block: { open: '/*', close: '*/' } } }]),
        hover, colours,
        EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            clearTimeout(waiting);
            waiting = setTimeout(() => colourText(update.view), 150);
        }),
        keymap.of([{ key: 'F2', run: command(rename) }, { key: 'F12', run: command(goToDefinition) }, { key: 'Shift-Alt-f', run: command(format) }]),
    ];
}

export { colourText };
