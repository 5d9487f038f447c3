// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// An event in words, with the diagram in each mode it went through and the pulses on their bonds.
import { fill, h } from './dom.js';
import { areaText, draw, markPulses, storageUnit } from './diagram.js';
import { quantity } from './numbers.js';
import { studio } from './studio.js';

const MEANING = {
    mythical: 'passed through during the search; the stored energies never changed to it',
    pinnacle: 'became real, and was left at the same instant',
    boundary: 'real for this instant only',
    continuous: 'time advances in it',
};

function pulseTable(mode, svg) {
    const names = Object.entries(mode.impulses ?? {});
    if (names.length === 0) return null;
    return h('table', {}, h('caption', {}, 'Pulses, as areas'), h('tbody', {}, names.map(([name, pulse]) => h('tr', {}, h('th', { scope: 'row' }, name), h('td', { class: 'number' }, areaText(svg, name, pulse, 5))))));
}

function jumpTable(mode, svg) {
    const names = Object.entries(mode.jump ?? {});
    if (names.length === 0) return null;
    return h('table', {}, h('caption', {}, mode.kind === 'mythical' ? 'Would jump' : 'Jumps'), h('tbody', {}, names.map(([name, [before, after]]) => h('tr', {}, h('th', { scope: 'row' }, name),
        h('td', { class: 'number' }, `${quantity(before, storageUnit(svg, name))} → ${quantity(after, storageUnit(svg, name))}`)))));
}

export class Explanation {
    constructor(host) {
        this.host = host;
        this.clear();
    }

    clear() {
        fill(this.host);
        this.host.hidden = true;
        this.host.parentElement?.classList.remove('told');
    }

    show(event) {
        const body = h('div', { class: 'mode-body' });
        const tabs = event.modes.map((mode, i) => h('button', { type: 'button', class: `kind kind-${mode.kind}`, 'aria-pressed': 'false', onclick: () => choose(i) }, `${i + 1} ${mode.kind}`));
        const choose = (i) => {
            tabs.forEach((tab, k) => tab.setAttribute('aria-pressed', String(k === i)));
            this.#mode(body, event, i);
        };
        this.host.hidden = false;
        this.host.parentElement?.classList.add('told');
        fill(this.host, h('div', { class: 'bar' }, h('h3', {}, `Event at ${quantity(event.t, 's', 9)}`), h('button', { type: 'button', class: 'quiet', 'aria-label': 'Close', onclick: () => this.clear() }, '✕')),
            h('pre', { class: 'words', tabindex: '0' }, event.words.trimEnd()), h('div', { class: 'kinds', role: 'group', 'aria-label': 'Modes gone through' }, tabs), body);
        if (event.modes.length) choose(0);
    }

    async #mode(body, event, number) {
        const mode = event.modes[number];
        const paper = h('div', { class: 'paper small' }), table = h('div');
        const wanted = { mode: mode.states, pulses: mode.impulses, title: `${mode.kind} mode at ${quantity(event.t, 's', 6)}` };
        fill(body, paper, h('p', { class: 'note' }, `${mode.kind}: ${MEANING[mode.kind] ?? ''}`), table,
            h('button', { type: 'button', onclick: () => { studio.emit('mode', wanted); studio.emit('show panel', 'diagram'); } }, 'Show in the diagram'));
        try {
            const picture = await draw(mode.states, number > 0 ? event.modes[number - 1].states : event.before, { 'no automata': true, bare: true });
            fill(paper, picture);
            fill(table, pulseTable(mode, picture), jumpTable(mode, picture));
            markPulses(picture, mode.impulses);
        } catch (error) {
            fill(paper, h('p', { class: 'note' }, error.message));
        }
    }
}
