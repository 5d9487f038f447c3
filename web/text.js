// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The text panel: CodeMirror with the language service (language.js), and diagnostics of the server at their places.
import { basicSetup } from 'codemirror';
import { EditorView, keymap } from '@codemirror/view';
import { EditorState, Prec } from '@codemirror/state';
import { indentWithTab, isolateHistory } from '@codemirror/commands';
import { indentUnit } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { h, nonce } from './dom.js';
import { hintText, insight } from './insight.js';
import { colourText, language, repairs } from './language.js';
import { check, studio } from './studio.js';

function extensions(onChange) {
    return [
        Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => true }])), // runs, and does not insert a new line
        basicSetup, lintGutter(), keymap.of([indentWithTab]), indentUnit.of('    '), EditorView.cspNonce.of(nonce()),
        EditorView.contentAttributes.of({ 'aria-label': 'Text of the model' }),
        EditorView.updateListener.of((update) => update.docChanged && onChange()),
        language(), insight(),
    ];
}

/** The place of a diagnostic: it counts characters and bytes, the editor units of UTF-16. */
function placeOf(doc, { line, column, bytes }) {
    const at = doc.line(Math.min(Math.max(line ?? 1, 1), doc.lines)), characters = [...at.text];
    const before = characters.slice(0, Math.max((column ?? 1) - 1, 0)).join('').length;
    const marked = new TextDecoder().decode(new TextEncoder().encode(at.text.slice(before)).subarray(0, Math.max(bytes ?? 1, 1)));
    const from = Math.min(at.from + before, at.to);
    return { from, to: Math.min(from + marked.length, Math.max(at.to, from)) };
}

function toLint(view, diagnostic) {
    const { from, to } = placeOf(view.state.doc, diagnostic);
    const help = diagnostic.help ? `\n${diagnostic.help}` : '';
    return { from, to, severity: diagnostic.severity === 'error' ? 'error' : 'warning', message: `${diagnostic.message}${help}`, source: diagnostic.code };
}

/** A repair that is an edit becomes a button at its diagnostic. */
async function addRepairs(view, found) {
    const doc = view.state.doc, actions = await repairs(view).catch(() => []);
    if (actions.length === 0 || view.state.doc !== doc) return;
    view.dispatch(setDiagnostics(view.state, found.map((one) => ({ ...one, actions: actions.filter(({ from }) => from === one.from) }))));
}

export function createText(host) {
    let silent = false;
    const changed = () => {
        if (silent) return;
        studio.emit('text');
        check();
    };
    const view = new EditorView({ parent: host, state: EditorState.create({ extensions: extensions(changed) }) });

    studio.on('check', () => {
        if (studio.checked !== view.state.doc.toString()) return;
        const own = studio.diagnostics.filter((diagnostic) => studio.isOpenFile(diagnostic.file));
        const found = own.map((diagnostic) => toLint(view, diagnostic));
        view.dispatch(setDiagnostics(view.state, found));
        if (own.some((diagnostic) => diagnostic.help)) addRepairs(view, found);
    });

    return {
        view,
        text: () => view.state.doc.toString(),
        /** Another file: undo does not reach into the former one. */
        replace(text) {
            silent = true;
            view.setState(EditorState.create({ doc: text, extensions: extensions(changed) }));
            silent = false;
            check();
            colourText(view);
            hintText(view);
        },
        /** An edit that is a single step of undo: [{ from, to, insert }], offsets in the present text. */
        edit(changes) {
            view.dispatch({ changes, annotations: isolateHistory.of('full'), scrollIntoView: true, selection: changes.length ? { anchor: Math.min(changes[0].from, changes[0].to ?? changes[0].from) } : undefined });
        },
        /** Goes to a place of the protocol, or to one of a diagnostic. */
        reveal(line, column = 1) {
            const at = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
            this.goTo(Math.min(at.from + column - 1, at.to));
        },
        revealProblem(diagnostic) {
            this.goTo(placeOf(view.state.doc, diagnostic).from);
        },
        goTo(offset) {
            view.dispatch({ selection: { anchor: offset }, effects: EditorView.scrollIntoView(offset, { y: 'center' }) });
            view.focus();
        },
        focus: () => view.focus(),
    };
}

/** The list of diagnostics, under the text. */
export function createProblems() {
    const list = h('ul', { class: 'problems', 'aria-label': 'Diagnostics' });
    const show = () => {
        list.replaceChildren(...studio.diagnostics.map((diagnostic) => h('li', {},
            h('button', { type: 'button', class: `problem-line ${diagnostic.severity}`, onclick: () => {
                if (studio.isOpenFile(diagnostic.file)) studio.editor.revealProblem(diagnostic);
                else studio.emit('go to', { path: studio.shown(diagnostic.file), there: () => studio.editor.revealProblem(diagnostic) });
            } },
            h('span', { class: 'code' }, diagnostic.code ?? ''), ' ',
            h('span', {}, diagnostic.message),
            h('span', { class: 'place' }, studio.isOpenFile(diagnostic.file) ? `line ${diagnostic.line}` : `${studio.shown(diagnostic.file) ?? ''}:${diagnostic.line ?? ''}`)))));
        list.hidden = studio.diagnostics.length === 0;
    };
    studio.on('check', show);
    studio.on('open', show);
    show();
    return list;
}
