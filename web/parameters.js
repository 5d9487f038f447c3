// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Parameters of the model as fields with units, and sliders from a tenth to ten times the written value.
import { fill, h } from './dom.js';
import { plain } from './numbers.js';
import { studio } from './studio.js';

/** A value as written, 5 mH or 80 degC, not in base units: [number, unit]. */
export function asWritten({ value, unit, written_unit: own, written_value: written }) {
    return own && written !== undefined ? [written, own] : [value, unit ?? ''];
}

function row(parameter, values, told) {
    const [nominal, unit] = asWritten(parameter);
    const asked = values.get(parameter.name);
    const field = h('input', { type: 'text', inputmode: 'decimal', 'aria-label': `${parameter.name}${unit ? ` in ${unit}` : ''}`, spellcheck: 'false', value: asked ?? plain(nominal, 12), placeholder: plain(nominal, 12) });
    const slider = h('input', { type: 'range', min: '-1', max: '1', step: '0.01', 'aria-label': `${parameter.name}, from a tenth to ten times`, disabled: !(nominal !== 0), value: asked && Number(asked) / nominal > 0 ? Math.log10(Number(asked) / nominal) : 0 });
    const take = (text) => {
        const value = text.trim();
        if (value === '' || Number(value) === nominal || value === plain(nominal, 12)) values.delete(parameter.name);
        else values.set(parameter.name, value);
        element.classList.toggle('changed', values.has(parameter.name));
        told();
    };
    field.addEventListener('input', () => {
        const share = Number(field.value) / nominal;
        slider.value = share > 0 ? String(Math.log10(share)) : '0';
        take(field.value);
    });
    slider.addEventListener('input', () => {
        field.value = plain(nominal * 10 ** Number(slider.value), 4);
        if (Number(slider.value) === 0) field.value = plain(nominal, 12);
        take(field.value);
    });
    const element = h('tr', { class: asked ? 'changed' : '' }, h('th', { scope: 'row', title: parameter.doc ?? '' }, parameter.name), h('td', {}, field), h('td', { class: 'unit' }, unit), h('td', {}, slider),
        h('td', {}, h('button', { type: 'button', class: 'quiet', 'aria-label': `${parameter.name} as written`, title: 'As written', onclick: () => { field.value = plain(nominal, 12); slider.value = '0'; take(''); } }, '↺')));
    return element;
}

/** All parameters of the model, in a panel. */
export function parameterFields(panel) {
    const values = new Map();
    const body = h('tbody');
    const search = h('input', { type: 'search', placeholder: 'Find a parameter…', 'aria-label': 'Find a parameter', oninput: () => show() });
    const note = h('p', { class: 'note' });
    let units = new Map(), key = '';
    const show = () => {
        const all = studio.listed?.parameters ?? [];
        const found = all.filter(({ name }) => name.toLowerCase().includes(search.value.toLowerCase())).slice(0, 200);
        units = new Map(all.map((parameter) => [parameter.name, asWritten(parameter)[1]]));
        for (const name of [...values.keys()]) if (!units.has(name)) values.delete(name);
        search.hidden = all.length < 12;
        note.textContent = all.length === 0 ? 'The model has no parameters.' : '';
        fill(body, found.map((parameter) => row(parameter, values, () => {})));
    };
    studio.onCheck(panel, () => {
        const now = JSON.stringify((studio.listed?.parameters ?? []).map(({ name, value }) => [name, value]));
        if (now !== key) { key = now; show(); }
    });
    studio.on('open', () => { values.clear(); key = ''; });
    const element = h('div', { class: 'parameters' }, search, h('table', {}, body), note);
    return {
        element,
        /** Parameters that differ from the text: ["L=7 [mH]"]. A value may be an expression. */
        changed: () => [...values].map(([name, value]) => `${name}=${value}${Number.isFinite(Number(value)) && units.get(name) ? ` [${units.get(name)}]` : ''}`),
    };
}
