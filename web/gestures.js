// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Gestures on the diagram are edits of the text: the server says which, the editor makes them, and its undo takes them back.
import { question, toChanges } from './language.js';
import { studio } from './studio.js';

const command = (name, given) => question('workspace/executeCommand', { command: name, arguments: [{ ...given, ...(studio.model ? { model: studio.model } : {}) }] });

/** Makes a gesture, { gesture, object, other, name, what, text, objects, x, y }; answers with the name of what it made, or null on failure. */
export async function gesture(asked) {
    const before = studio.text();
    try {
        const { uri, result } = await command('hbg.gesture', asked);
        if (studio.text() !== before) throw new Error('The text has changed meanwhile: do it once more.');
        const other = Object.keys(result.edit.changes).find((file) => file !== uri);
        if (other) throw new Error(`This changes ${decodeURI(other).split('/').pop()} too: open that file to change it there.`);
        studio.emit('gesture');
        studio.editor.edit(toChanges(studio.editor.view.state.doc, result.edit.changes[uri] ?? []));
        return result.name || asked.object || asked.name || '';
    } catch (error) {
        studio.say(error.message, 'error');
        return null;
    }
}

/** The parts that can be added to the model: [{ kind, name, title, file, ports }]. */
export async function palette() {
    return (await command('hbg.palette', {})).result ?? [];
}
