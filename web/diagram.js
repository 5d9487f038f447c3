// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The diagram: the server's drawing of the model in a mode, with states to choose, and pulses on their bonds.
import { drawing, fill, h, s } from './dom.js';
import { plain } from './numbers.js';
import { ask } from './server.js';
import { studio } from './studio.js';

/** "relay=closed,diode=on" of { relay: 'closed', … }. */
export const modeText = (mode) => Object.entries(mode ?? {}).map(([name, state]) => `${name}=${state}`).join(',');

/** Asks for a drawing; elements to be shown, or the reason why there are none. */
export async function draw(mode, compare, more = {}) {
    const answer = await ask('draw', studio.asked({ mode: modeText(mode), compare: modeText(compare), ...more }));
    if (answer.svg) return drawing(answer.svg);
    const first = answer.diagnostics?.diagnostics?.[0]?.message;
    return h('p', { class: 'note' }, first ?? answer.error);
}

/** Marks the bonds that carry a pulse, { name: { e, f } }, with its area; a pulse may be named by the element at its bond. */
export function markPulses(svg, pulses) {
    for (const [name, { e, f }] of Object.entries(pulses ?? {})) {
        const bonds = [...svg.querySelectorAll('[data-bond]')];
        const named = bonds.filter((bond) => bond.getAttribute('data-bond') === name);
        const found = named.length ? named : bonds.filter((bond) => [bond.getAttribute('data-from'), bond.getAttribute('data-to')].includes(name));
        for (const bond of found) {
            bond.classList.add('pulse');
            const box = bond.getBBox(), areas = [e === undefined ? null : `∫e ${plain(e, 3)}`, f === undefined ? null : `∫f ${plain(f, 3)}`].filter(Boolean);
            bond.append(s('text', { class: 'pulse-label', x: box.x + box.width / 2, y: box.y - 4, 'text-anchor': 'middle' }, areas.join(', ')));
        }
    }
}

function modePicker(automata, mode, choose) {
    return automata.map((automaton) => h('label', { class: 'state-choice' }, automaton.name,
        h('select', { onchange: (event) => choose({ ...mode, [automaton.name]: event.target.value }) },
            automaton.states.map((state) => h('option', { value: state.name, selected: (mode[automaton.name] ?? automaton.start) === state.name }, state.name)))));
}

export function createDiagram(host) {
    const states = h('div', { class: 'states', role: 'group', 'aria-label': 'Mode' });
    const paper = h('div', { class: 'paper', tabindex: '0', 'aria-label': 'Diagram' });
    const caption = h('p', { class: 'caption' });
    let mode = {}, shown = null, pulses = null, busy = false, again = false, zoom = 1;

    const setZoom = (value) => {
        zoom = Math.min(8, Math.max(0.2, value));
        const svg = paper.querySelector('svg');
        if (!svg) return;
        const box = svg.viewBox.baseVal;
        svg.style.width = `${box.width * zoom}px`;
        svg.style.height = 'auto';
    };
    const fit = () => {
        const svg = paper.querySelector('svg');
        if (!svg?.viewBox.baseVal?.width || !paper.clientWidth) return;
        const box = svg.viewBox.baseVal;
        setZoom(Math.min((paper.clientWidth - 24) / box.width, (paper.clientHeight - 24) / box.height, 1.6));
    };
    const tools = h('div', { class: 'tools' },
        h('button', { type: 'button', title: 'Smaller', 'aria-label': 'Smaller', onclick: () => setZoom(zoom / 1.25) }, '−'),
        h('button', { type: 'button', title: 'Larger', 'aria-label': 'Larger', onclick: () => setZoom(zoom * 1.25) }, '+'),
        h('button', { type: 'button', title: 'Fit the window', onclick: fit }, 'Fit'));
    fill(host, h('div', { class: 'bar' }, states, tools), caption, paper);

    const refresh = async () => {
        if (!host.isConnected || host.hidden || studio.path === null) return;
        if (busy) { again = true; return; }
        busy = true;
        try {
            const picture = await draw(mode, null);
            if (picture.localName === 'svg') {
                const first = !paper.querySelector('svg');
                fill(paper, picture);
                markPulses(picture, pulses);
                if (first) fit(); else setZoom(zoom);
            } else if (!paper.querySelector('svg')) fill(paper, picture);
        } catch (error) {
            studio.say(error.message, 'error');
        }
        busy = false;
        if (again) { again = false; refresh(); }
    };
    const showStates = () => {
        const automata = studio.listed?.automata ?? [];
        mode = Object.fromEntries(Object.entries(mode).filter(([name, state]) => automata.some((automaton) => automaton.name === name && automaton.states.some((at) => at.name === state))));
        fill(states, automata.length > 12 ? h('span', { class: 'note' }, `${automata.length} automata`) : modePicker(automata, mode, (chosen) => {
            mode = chosen;
            pulses = null;
            caption.textContent = '';
            refresh();
        }));
    };
    studio.on('open', () => { mode = {}; pulses = null; caption.textContent = ''; fill(paper); });
    studio.on('check', () => { showStates(); if (studio.list) refresh(); });
    studio.on('panel', (name) => { if (name === 'diagram') { refresh(); if (!shown) { shown = true; fit(); } } });
    studio.on('mode', (wanted) => {
        mode = wanted.mode;
        pulses = wanted.pulses;
        caption.textContent = wanted.title ?? '';
        showStates();
        refresh();
    });
    return { refresh, fit };
}
