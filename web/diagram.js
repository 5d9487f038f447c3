// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The diagram: the server's drawing of the model in a mode. Strokes follow the text at once, on the present drawing; a new drawing comes later, with unchanged objects at the same places.
import { fill, h, s } from './dom.js';
import { createKey } from './diagram_key.js';
import { applyMarks } from './diagram_marks.js';
import { createPalette } from './diagram_palette.js';
import { DiagramEditor } from './diagram_edit.js';
import { drawing, LiveDrawing } from './drawing.js';
import { gesture } from './gestures.js';
import { letMove, READABLE, View } from './diagram_view.js';
import { quantity } from './numbers.js';
import { ask } from './server.js';
import { studio } from './studio.js';

const FEW = 6; // automata beside the tools; more are in a list
const LEAST_PAUSE = 100, MOST_PAUSE = 1500; // ms without a key before the model is drawn anew: twice what that takes, between these

/** "relay=closed,diode=on" of { relay: 'closed', … }. */
export const modeText = (mode) => Object.entries(mode ?? {}).map(([name, state]) => `${name}=${state}`).join(',');

const reasonOf = (answer) => answer.diagnostics?.diagnostics?.[0]?.message ?? answer.error;

/** Requests a drawing; elements to be shown, or the reason why there are none. */
export async function draw(mode, compare, more = {}) {
    const answer = await ask('draw', studio.asked({ mode: modeText(mode), compare: modeText(compare), ...more }));
    return answer.svg ? drawing(answer.svg) : h('p', { class: 'note' }, reasonOf(answer));
}

/** Units of the areas of pulses, of effort and of flow. */
const AREAS = { electrical: ['Wb', 'C'], translational: ['N·s', 'm'], rotational: ['N·m·s', 'rad'], hydraulic: ['Pa·s', 'm^3'], thermal: ['', 'J'], magnetic: ['', 'Wb'] };

/** The bonds of a drawing with a pulse; it may be named by the element at its bond. */
function pulsed(svg, name) {
    const bonds = [...svg.querySelectorAll('[data-bond]')], named = bonds.filter((bond) => bond.getAttribute('data-bond') === name);
    return named.length ? named : bonds.filter((bond) => [bond.getAttribute('data-from'), bond.getAttribute('data-to')].includes(name));
}

/** The area of a pulse, { e, f }, in the units of its domain. */
export function areaText(svg, name, { e, f }, digits = 3) {
    const [ofEffort, ofFlow] = AREAS[pulsed(svg, name)[0]?.getAttribute('data-domain')] ?? ['', ''];
    return [e === undefined ? null : `∫e ${quantity(e, ofEffort, digits)}`, f === undefined ? null : `∫f ${quantity(f, ofFlow, digits)}`].filter(Boolean).join(', ');
}

/** The unit of a storage's state, "coil.p" or "tank.q": that of the area of its input. */
export function storageUnit(svg, name) {
    const [, object, quantity] = /^(.*)\.([pq])$/.exec(name) ?? [];
    return object ? (AREAS[pulsed(svg, object)[0]?.getAttribute('data-domain')] ?? ['', ''])[quantity === 'p' ? 0 : 1] : '';
}

/** Marks the bonds that carry a pulse, { name: { e, f } }, with its area. */
export function markPulses(svg, pulses) {
    for (const label of svg.querySelectorAll('.pulse-label')) label.remove();
    for (const bond of svg.querySelectorAll('.pulse')) bond.classList.remove('pulse');
    for (const [name, pulse] of Object.entries(pulses ?? {}))
        for (const bond of pulsed(svg, name)) {
            bond.classList.add('pulse');
            const box = bond.getBBox(), upright = box.height > box.width;
            const named = [...svg.querySelectorAll('text.label')].some(({ textContent }) => textContent === bond.getAttribute('data-bond')); // its label is next to it, else above, over its name
            bond.append(s('text', { class: 'pulse-label', x: upright ? box.x + box.width + 5 : box.x + box.width / 2, y: upright ? box.y + box.height / 2 + 3 : box.y - (named ? 15 : 4), 'text-anchor': upright ? 'start' : 'middle' }, areaText(svg, name, pulse)));
        }
}

const PLACE = ['data-path', 'data-at', 'data-origin', 'data-alone'];

/** Where everything is, for the next drawing. */
function placesOf(svg) {
    const tag = (group) => `<g ${PLACE.filter((name) => group.hasAttribute(name)).map((name) => `${name}="${group.getAttribute(name)}"`).join(' ')}>`;
    return [...(svg?.querySelectorAll('[data-path][data-at]') ?? [])].map(tag).join('');
}

/** Marks of an earlier text, without its contradictions, which need not exist now. */
const withoutConflicts = (marks) => marks && { ...marks, bonds: marks.bonds.map((bond) => (bond.conflict ? { ...bond, conflict: false } : bond)) };

const firstError = () => studio.diagnostics.find(({ severity }) => severity === 'error')?.message ?? '';

function modePicker(automata, stateOf, choose) {
    return automata.map((automaton) => h('span', { class: 'automaton-choice', role: 'radiogroup', 'aria-label': automaton.name }, h('span', { class: 'automaton-name' }, automaton.name),
        automaton.states.map((state) => {
            const on = stateOf(automaton) === state.name;
            return h('button', { type: 'button', role: 'radio', class: `state-pill${state.on ? ' is-on' : ''}`, 'aria-checked': String(on), 'data-automaton': automaton.name, 'data-state': state.name, onclick: () => choose(automaton.name, state.name) }, state.name);
        })));
}

export function createDiagram(host) {
    const states = h('div', { class: 'states', role: 'group', 'aria-label': 'Mode' });
    const paper = h('div', { class: 'paper diagram-paper', tabindex: '0', 'aria-label': 'Diagram' });
    const caption = h('p', { class: 'caption', role: 'status' });
    const view = new View(paper);
    const live = new LiveDrawing();
    let mode = {}, compare = null, pulses = null, busy = false, again = false, open = new Set(), depth = 0, marking = false, markAgain = false, last = null, hurry = false, pause = LEAST_PAUSE, timer, partsWanted = null;

    const toggle = (path, wanted) => {
        if (wanted) open.add(path);
        else open.delete(path);
        editor.focused = path;
        refresh();
    };
    const editor = new DiagramEditor({ paper, view, toggle });
    letMove(view, paper, (event) => editor.isFree(event));
    const put = async (piece, event) => {
        const at = event ? view.placeAt(event) : view.placeAt({ clientX: paper.getBoundingClientRect().left + paper.clientWidth / 2, clientY: paper.getBoundingClientRect().top + paper.clientHeight / 2 });
        editor.focused = await gesture({ gesture: 'add', what: piece.name, x: Math.round(at.x), y: Math.round(at.y) });
        editor.wantsFocus = Boolean(editor.focused);
    };
    const parts = createPalette(put);
    paper.addEventListener('dragover', (event) => { if (event.dataTransfer.types.includes('text/x-hbg-piece')) event.preventDefault(); });
    paper.addEventListener('drop', (event) => {
        const piece = parts.find(event.dataTransfer.getData('text/x-hbg-piece'));
        if (!piece) return;
        event.preventDefault();
        put(piece, event);
    });

    const button = (label, text, action) => h('button', { type: 'button', title: label, 'aria-label': label, onclick: action }, text);
    const partsButton = button('Parts that can be put in', 'Parts', () => { partsWanted = parts.element.hidden; showParts(partsWanted); });
    const showParts = (on) => { parts.element.hidden = !on; partsButton.setAttribute('aria-pressed', String(on)); };
    const closeAll = button('Close all components', '⊟', () => { depth = 0; open.clear(); refresh(); }), openAll = button('Open all components', '⊞', () => { depth = 99; open.clear(); refresh(); });
    const key = createKey();
    const tools = h('div', { class: 'tools' }, partsButton,
        closeAll, openAll,
        button('Smaller (−)', '−', () => view.zoom(0.8)), button('Larger (+)', '+', () => view.zoom(1.25)), button('Fit the window (0)', 'Fit', () => view.fit()),
        button('Value or parameters of the selection (Enter)', 'Values', () => editor.onChosen(editor.editValue)), button('Name of the selection (F2)', 'Rename', () => editor.onChosen(editor.rename)),
        button('Make a component of the selection (w)', 'Wrap', () => editor.wrap()), button('Delete the selection (Delete)', 'Delete', () => editor.remove()));
    showParts(true);
    /** Hides the palette for a large drawing, unless the user has chosen. */
    const makeRoom = () => {
        if (partsWanted !== null) return;
        showParts(true);
        view.fit();
        if (view.scale >= READABLE) return;
        showParts(false);
        view.fit();
    };
    fill(host, h('div', { class: 'bar' }, states, tools), caption, h('div', { class: 'diagram-body' }, parts.element, paper), key.element);

    const panel = { view, editor, marked: null, drawn: null, refresh: () => refresh(), fit: () => view.fit() }; // the texts of strokes and drawing
    const shownMode = () => ({ mode: modeText(mode), compare: modeText(compare) });
    const isShown = () => host.isConnected && !host.hidden && studio.path !== null;
    studio.marksWanted = () => (isShown() && view.svg ? shownMode() : null);

    /** Puts marks on the present drawing; none: the text has errors, and the last marks stay, faint. */
    const mark = (marks, text) => {
        if (!view.svg) return;
        last = marks ?? withoutConflicts(last);
        view.svg.classList.toggle('stale', !marks);
        if (last) applyMarks(view.svg, last);
        key.show(view.svg);
        caption.dataset.kind = marks && !marks.valid ? 'error' : '';
        caption.textContent = !marks ? (last ? `The text has errors: strokes are those of the text before. ${firstError()}` : '') : marks.valid && !compare && !marks.mythical ? '' : marks.note;
        host.dataset.valid = marks ? String(marks.valid) : '';
        panel.marked = text;
    };
    /** Strokes of another mode, on the present drawing. */
    const refreshMarks = async () => {
        if (!isShown() || !view.svg) return;
        if (marking) { markAgain = true; return; }
        marking = true;
        const text = studio.text();
        try {
            const { marks } = await ask('draw', studio.asked({ ...shownMode(), 'marks only': true }));
            if (marks) mark(marks, text);
        } catch { /* the drawing stays as it is; the check reports why */ }
        marking = false;
        if (markAgain) { markAgain = false; refreshMarks(); }
    };
    const take = (answer, text) => {
        const focused = document.activeElement?.closest?.('.diagram-paper g');
        const taken = live.take(answer.svg);
        if (!taken) return;
        if (taken.svg !== view.svg) {
            paper.querySelector('svg')?.remove();
            paper.querySelector(':scope > .note')?.remove();
            paper.prepend(taken.svg);
        }
        closeAll.hidden = openAll.hidden = !taken.svg.querySelector('g.component');
        const first = view.svg === null;
        view.show(taken.svg, live.box);
        if (first) makeRoom();
        if (focused && !focused.isConnected) editor.wantsFocus = true;
        editor.took(taken.made);
        if (text === studio.text()) mark(answer.marks, text);
        markPulses(taken.svg, pulses);
        panel.drawn = text;
        host.dataset.drawn = String(Number(host.dataset.drawn ?? 0) + 1);
    };
    const refresh = async () => {
        clearTimeout(timer);
        if (!isShown()) return;
        if (busy) { again = true; return; }
        busy = true;
        const text = studio.text(), path = studio.path, began = performance.now();
        const question = () => studio.asked({ ...shownMode(), bare: true, depth, open: depth ? '' : [...open].join(','), earlier: placesOf(view.svg) });
        try {
            let answer = await ask('draw', question());
            if (!answer.svg && open.size) { open.clear(); answer = await ask('draw', question()); }
            if (path !== studio.path) again = true;
            else if (answer.svg) take(answer, text);
            else if (!view.svg) fill(paper, h('p', { class: 'note' }, reasonOf(answer)));
        } catch (error) {
            studio.say(error.message, 'error');
        }
        busy = false;
        pause = Math.min(MOST_PAUSE, Math.max(LEAST_PAUSE, 2 * (performance.now() - began)));
        if (again) { again = false; refresh(); }
    };
    /** A new drawing after a pause in typing, at once after a gesture. */
    const refreshSoon = () => {
        clearTimeout(timer);
        if (hurry || !view.svg) refresh();
        else timer = setTimeout(refresh, pause);
        hurry = false;
    };
    const choose = (name, state) => {
        compare = { ...mode };
        mode = { ...mode, [name]: state };
        for (const automaton of studio.listed?.automata ?? []) compare[automaton.name] ??= automaton.start;
        pulses = null;
        showStates();
        markPulses(view.svg ?? paper, null);
        refreshMarks();
    };
    const showStates = () => {
        const automata = studio.listed?.automata ?? [];
        mode = Object.fromEntries(Object.entries(mode).filter(([name, state]) => automata.some((automaton) => automaton.name === name && automaton.states.some((at) => at.name === state))));
        const picker = modePicker(automata, (automaton) => mode[automaton.name] ?? automaton.start, choose);
        const focused = document.activeElement?.dataset?.state && { automaton: document.activeElement.dataset.automaton, state: document.activeElement.dataset.state };
        const more = states.querySelector('details')?.open;
        fill(states, automata.length <= FEW ? picker : h('details', { class: 'menu', open: more }, h('summary', {}, `Mode: ${automata.length} automata`), h('div', { class: 'menu-body left-menu' }, picker)));
        if (focused) [...states.querySelectorAll('button')].find(({ dataset }) => dataset.automaton === focused.automaton && dataset.state === focused.state)?.focus();
    };

    studio.on('open', () => { mode = {}; compare = pulses = last = null; open = new Set(); depth = 0; caption.textContent = ''; fill(paper); key.show(null); view.clear(); live.clear(); fill(states); parts.refresh(); });
    studio.on('text', () => { compare = null; });
    studio.on('gesture', () => { hurry = true; });
    studio.on('check', () => {
        showStates();
        if (studio.marks || !studio.list) mark(studio.marks, studio.checked);
        else refreshMarks(); // it named something that no longer exists
        refreshSoon();
        parts.refresh();
    });
    studio.on('panel', (name) => { if (name === 'diagram') { refresh(); parts.refresh(); } });
    studio.on('mode', (wanted) => {
        mode = wanted.mode;
        compare = wanted.compare ?? null;
        pulses = wanted.pulses;
        caption.textContent = wanted.title ?? '';
        showStates();
        refresh();
    });
    new ResizeObserver(() => view.resized()).observe(paper);
    return panel;
}
