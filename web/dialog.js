// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Modal questions.
import { h } from './dom.js';
import { counted } from './numbers.js';

/** Asks with buttons; answers with the name of the one that was pressed, or null. */
export function askButtons(title, body, buttons) {
    return new Promise((resolve) => {
        const dialog = h('dialog', { 'aria-label': title, onclose: () => { dialog.remove(); resolve(dialog.returnValue || null); } },
            h('h2', {}, title), body,
            h('div', { class: 'buttons' }, buttons.map(({ name, label, kind }) =>
                h('button', { type: 'button', class: kind, 'data-choice': name, onclick: () => dialog.close(name) }, label))));
        document.body.append(dialog);
        dialog.showModal();
    });
}

/** Asks for a line of text; null: no answer. */
export function askText(title, label, value, check = () => '') {
    return new Promise((resolve) => {
        const problem = h('p', { class: 'problem', role: 'alert' });
        const input = h('input', { type: 'text', value, 'aria-label': label, spellcheck: 'false', autocomplete: 'off' });
        const form = h('form', { method: 'dialog', onsubmit: (event) => {
            event.preventDefault();
            problem.textContent = check(input.value.trim());
            if (!problem.textContent) dialog.close(input.value.trim());
        } }, h('h2', {}, title), h('label', {}, label, input), problem,
        h('div', { class: 'buttons' }, h('button', { type: 'submit', class: 'primary' }, 'OK'),
            h('button', { type: 'button', onclick: () => dialog.close('') }, 'Cancel')));
        const dialog = h('dialog', { 'aria-label': title, onclose: () => { dialog.remove(); resolve(dialog.returnValue || null); } }, form);
        document.body.append(dialog);
        dialog.showModal();
        input.select();
    });
}

/** Asks for one item of a list, [{ label, detail }], found by words; its number, or null. */
export function askFromList(title, items) {
    return new Promise((resolve) => {
        const search = h('input', { type: 'search', 'aria-label': title, spellcheck: 'false', autocomplete: 'off', oninput: () => show() });
        const list = h('ul', { class: 'files outline' });
        const show = () => {
            const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
            const found = items.map((item, number) => ({ ...item, number })).filter(({ label, detail }) => words.every((word) => `${label} ${detail}`.toLowerCase().includes(word)));
            list.replaceChildren(...found.slice(0, 300).map(({ label, detail, number }) => h('li', {}, h('button', { type: 'button', class: 'file', onclick: () => dialog.close(String(number)) }, h('span', { class: 'name' }, label), h('span', { class: 'folder' }, detail)))));
        };
        const form = h('form', { onsubmit: (event) => { event.preventDefault(); list.querySelector('button')?.click(); } }, h('h2', {}, title), search, list);
        const dialog = h('dialog', { 'aria-label': title, onclose: () => { dialog.remove(); resolve(dialog.returnValue ? Number(dialog.returnValue) : null); } }, form);
        document.body.append(dialog);
        show();
        dialog.showModal();
        search.focus();
    });
}

function changedLines(before, after) {
    const old = new Set(before.split('\n'));
    return after.split('\n').filter((line) => !old.has(line)).length;
}

/** Another program has changed the file: keep mine, take theirs, or continue without saving. */
export function askThreeWays(path, base, mine, theirs) {
    const body = theirs.there
        ? h('div', {}, h('p', {}, `${path} has changed on the disk since it was opened.`),
            h('div', { class: 'versions' },
                h('section', {}, h('h3', {}, `Yours, ${counted(changedLines(base, mine), 'line')} new`), h('pre', { tabindex: '0' }, mine)),
                h('section', {}, h('h3', {}, `On the disk, ${counted(changedLines(base, theirs.text), 'line')} new`), h('pre', { tabindex: '0' }, theirs.text))))
        : h('p', {}, `${path} is no longer on the disk.`);
    return askButtons('Which text is to stay?', body, [
        { name: 'mine', label: theirs.there ? 'Write mine over it' : 'Write it again', kind: 'danger' },
        ...(theirs.there ? [{ name: 'theirs', label: 'Take the one on the disk' }] : []),
        { name: 'later', label: 'Decide later', kind: 'primary' },
    ]);
}
