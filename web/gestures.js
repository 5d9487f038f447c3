// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Gestures on the diagram are edits of the text: the server says which, the editor makes them, and its undo takes them back.
import { ask } from './server.js';
import { studio } from './studio.js';

/** Makes a gesture, { kind, object, other, name, what, text, objects, x, y }; answers with the name of what it made, or null if it cannot be. */
export async function gesture(asked) {
    try {
        const answer = await ask('gesture', studio.asked({ gesture: asked }));
        if (answer.error) throw new Error(answer.error);
        const own = answer.edits.filter((edit) => studio.isOpenFile(edit.file));
        if (own.length < answer.edits.length) throw new Error(`This changes ${studio.shown(answer.edits.find((edit) => !own.includes(edit)).file)} too: open that file to change it there.`);
        studio.editor.edit(own.map(({ start, end, text }) => ({ from: start, to: end, insert: text })));
        return answer.name || asked.object || asked.name || '';
    } catch (error) {
        studio.say(error.message, 'error');
        return null;
    }
}

/** What can be put into the model: [{ name, title, file, ports, component }]. */
export async function palette() {
    const answer = await ask('palette', studio.asked());
    return answer.pieces ?? [];
}
