// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The palette: elements of the theory and components of the library, found by words and dropped on the diagram.
import { fill, h } from './dom.js';
import { palette } from './gestures.js';
import { studio } from './studio.js';

/** `put(piece, event)`: a piece was dropped there, or chosen by a key or a double click (event null). */
export function createPalette(put) {
    const search = h('input', { type: 'search', placeholder: 'Find a part…', 'aria-label': 'Find a part', oninput: () => show() });
    const list = h('ul', { class: 'pieces', 'aria-label': 'Parts' });
    let pieces = [], known = null;

    const row = (piece) => {
        const button = h('button', { type: 'button', class: 'piece', draggable: 'true', title: [piece.title, piece.ports].filter(Boolean).join('\n'), 'data-piece': piece.name,
            ondragstart: (event) => { event.dataTransfer.setData('text/x-hbg-piece', piece.name); event.dataTransfer.effectAllowed = 'copy'; },
            ondblclick: () => put(piece, null),
            onkeydown: (event) => {
                if (event.key === 'Enter') { event.preventDefault(); put(piece, null); }
                const to = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key];
                if (to) { event.preventDefault(); button.parentElement[to]?.querySelector('button')?.focus(); }
            } }, h('b', {}, piece.name), h('span', { class: 'what' }, piece.title));
        return h('li', {}, button);
    };
    const show = () => {
        const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
        const found = pieces.filter((piece) => words.every((word) => `${piece.name} ${piece.title} ${piece.file}`.toLowerCase().includes(word)));
        fill(list, found.slice(0, 300).map(row), found.length === 0 ? h('li', { class: 'note' }, 'There is no such part.') : null);
    };
    /** Requests it once for each file and list of imports. */
    const refresh = async () => {
        if (studio.path === null) return;
        const imports = (studio.text().match(/^\s*(import|component)\b.*$/gm) ?? []).join('\n') + studio.path;
        if (imports === known) return;
        known = imports;
        try {
            pieces = await palette();
        } catch (error) {
            studio.say(error.message, 'error');
        }
        show();
    };
    return {
        element: h('aside', { class: 'palette', 'aria-label': 'Palette' }, search, list),
        refresh,
        find: (name) => pieces.find((piece) => piece.name === name) ?? null,
        focus: () => search.focus(),
    };
}
