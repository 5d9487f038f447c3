// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Shared by the panels: the open file and its text, the server's reports about it, and events when any of it changes.
//
// Events: 'open' (another file), 'text' (it was edited), 'check' (diagnostics and list are new), 'saved', 'mode' (a mode is to be shown in the
// diagram: { mode, compare, pulses, title }), 'panel' (a panel is shown), 'say' (a message for the status line),
// 'go to' (a place of another file: { path, line, there() }).
import { ask, Refused } from './server.js';
import { askThreeWays } from './dialog.js';

const listeners = new Map();

export const studio = {
    folder: '',
    files: [],
    path: null, // of the open file, below the folder
    stamp: null, // of the file as it was read; null: it is new
    saved: '', // its text then
    ends: '\n', // of its lines; the page itself uses one character
    editor: null, // the text panel: text(), replace(text), edit(changes), reveal(line, column)
    diagnostics: [],
    list: null, // contents of the model; null: it has errors
    listed: null, // the last list
    checked: null, // the text of diagnostics and list
    marks: null, // strokes of the text that was checked last, if the diagram wanted them and it has no errors
    marksWanted: () => null, // the mode that the diagram shows: { mode, compare }; null: it is not shown
    panel: null, // the one that is shown
    model: null, // which model of the file; null: the first

    on(name, callback) {
        if (!listeners.has(name)) listeners.set(name, new Set());
        listeners.get(name).add(callback);
        return () => listeners.get(name).delete(callback);
    },
    emit(name, data) {
        for (const callback of listeners.get(name) ?? []) callback(data);
    },
    /** Calls back when diagnostics and list are new: at once while the panel is shown, else when it is shown next. */
    onCheck(panel, callback) {
        let due = false;
        this.on('check', () => { due = this.panel !== panel; if (!due) callback(); });
        this.on('panel', () => { if (due && this.panel === panel) { due = false; callback(); } });
    },
    /** A message for the status line; kind: 'info', 'warning', 'error'. */
    say(text, kind = 'info') {
        this.emit('say', { text, kind });
    },
    text() {
        return this.editor?.text() ?? '';
    },
    isDirty() {
        return this.path !== null && this.text() !== this.saved;
    },
    /** Fields of every question about the model. */
    asked(more = {}) {
        return { path: this.path, text: this.text(), ...(this.model ? { model: this.model } : {}), ...more };
    },
    /** A readable path. */
    shown(file) {
        return file?.startsWith(this.folder + '/') ? file.slice(this.folder.length + 1) : file;
    },
    isOpenFile(file) {
        return this.shown(file) === this.path;
    },
};

export async function refreshFiles() {
    const answer = await ask('files');
    studio.folder = answer.folder;
    studio.files = answer.files;
    return answer;
}

const unified = (text) => text.replace(/\r\n?/g, '\n');

export async function open(path) {
    const { text: there, stamp } = await ask('read', { path });
    const text = unified(there);
    Object.assign(studio, { path, stamp, saved: text, ends: there.includes('\r\n') ? '\r\n' : '\n', diagnostics: [], list: null, listed: null, marks: null, model: null });
    studio.editor.replace(text);
    studio.emit('open', path);
    studio.emit('text');
}

/** A new file, which is written when it is first saved. */
export function begin(path, text) {
    Object.assign(studio, { path, stamp: null, saved: '', ends: '\n', diagnostics: [], list: null, listed: null, marks: null, model: null });
    studio.editor.replace(text);
    studio.emit('open', path);
    studio.emit('text');
}

/** Another model of the same file: all panels start again. */
export function chooseModel(name) {
    Object.assign(studio, { model: name, list: null, listed: null, marks: null });
    studio.emit('open', studio.path);
    check();
}

export async function save() {
    if (studio.path === null) return;
    const text = studio.text();
    try {
        const answer = await ask('write', { path: studio.path, text: text.replaceAll('\n', studio.ends), stamp: studio.stamp });
        Object.assign(studio, { stamp: answer.stamp, saved: text });
        studio.emit('saved');
        studio.say(`Saved ${studio.path}.`);
        if (!studio.files.includes(studio.path)) await refreshFiles().then(() => studio.emit('files'));
    } catch (error) {
        if (!(error instanceof Refused) || error.status !== 409) return studio.say(error.message, 'error');
        await settle(error.answer.there ? { ...error.answer, text: unified(error.answer.text) } : error.answer);
    }
}

/** The file on the disk has changed: keep mine, take theirs, or neither for now. */
async function settle(theirs) {
    const choice = await askThreeWays(studio.path, studio.saved, studio.text(), theirs);
    if (choice === 'mine') { // overwrites only the version shown
        studio.stamp = theirs.there ? theirs.stamp : null;
        return save();
    }
    if (choice === 'theirs') {
        Object.assign(studio, { stamp: theirs.stamp, saved: unified(theirs.text) });
        studio.editor.replace(studio.saved);
        studio.emit('saved');
    }
}

// ---- checking ------------------------------------------------------------------------------------------------

let checking = false;

/** Requests diagnostics of the present text, and its strokes; one question at a time, and always for the last text. */
export async function check() {
    if (checking || studio.path === null) return;
    checking = true;
    const text = studio.text(), { path, model } = studio;
    try {
        const marks = studio.marksWanted();
        const answer = await ask('check', studio.asked(marks ? { ...marks, marks: true } : {}));
        if (path === studio.path && model === studio.model) take(text, answer);
    } catch (error) {
        studio.say(error.message, 'error');
    }
    checking = false;
    if (studio.text() !== text || studio.path !== path || studio.model !== model) check();
}

function take(text, answer) {
    studio.checked = text;
    studio.diagnostics = answer.diagnostics?.diagnostics ?? [];
    studio.list = answer.list;
    studio.marks = answer.marks ?? null;
    if (answer.list) studio.listed = answer.list;
    studio.emit('check');
}

