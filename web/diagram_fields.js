// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Small forms over the diagram: a value with its unit, a name, a choice.
import { fill, h } from './dom.js';

/** Puts a form at a point of the paper; Escape, or a click elsewhere, closes it. */
function popUp(paper, at, label, children, closed = () => {}) {
    const box = h('form', { class: 'pop', 'aria-label': label });
    const close = () => {
        if (!box.isConnected) return;
        box.remove();
        closed();
    };
    fill(box, children(close));
    box.addEventListener('keydown', (event) => {
        event.stopPropagation();
        if (event.key === 'Escape') { event.preventDefault(); close(); }
    });
    box.addEventListener('focusout', (event) => { if (event.relatedTarget && !box.contains(event.relatedTarget)) close(); });
    for (const name of ['pointerdown', 'dblclick', 'wheel']) box.addEventListener(name, (event) => event.stopPropagation());
    paper.append(box);
    box.style.left = `${Math.max(4, Math.min(at.x, paper.clientWidth - box.offsetWidth - 4))}px`;
    box.style.top = `${Math.max(4, Math.min(at.y, paper.clientHeight - box.offsetHeight - 4))}px`;
    (box.querySelector('input') ?? box.querySelector('button'))?.focus();
    box.querySelector('input')?.select();
    return { box, close };
}

/** Fields with names, [{ key, label, value, unit }]; `done(key, value)` for each that was changed. */
export function askFields(paper, at, label, fields, done, closed) {
    return popUp(paper, at, label, (close) => {
        const inputs = fields.map(({ value, label: name, example }) => h('input', { type: 'text', value, 'aria-label': name, placeholder: example, spellcheck: 'false', autocomplete: 'off' }));
        const submit = async (event) => {
            event.preventDefault();
            close();
            for (const [i, { key, value }] of fields.entries()) {
                const now = inputs[i].value.trim();
                if (now !== value && now !== '') await done(key, now);
            }
        };
        queueMicrotask(() => inputs[0]?.form?.addEventListener('submit', submit));
        return [fields.map(({ label: name }, i) => h('label', {}, h('span', {}, name), inputs[i])), h('button', { type: 'submit', class: 'primary' }, 'OK')];
    }, closed);
}

/** A list of choices, [{ label, title }]; `done(index)`. */
export function askChoice(paper, at, label, choices, done, closed) {
    return popUp(paper, at, label, (close) => [h('span', { class: 'note' }, label), choices.map((choice, i) => h('button', { type: 'button', title: choice.title, onclick: () => { close(); done(i); } }, choice.label))], closed);
}
