// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Working on the diagram with mouse and keys: selecting, moving, connecting, renaming, deleting, wrapping, values in place.
import { s } from './dom.js';
import { askChoice, askFields } from './diagram_fields.js';
import { fits } from './diagram_connect.js';
import { gesture } from './gestures.js';
import { movedOf, placeOf } from './diagram_view.js';
import { studio } from './studio.js';

const OBJECT = 'g.node:not(.outside), g.component:not(.outside)', ALL = `${OBJECT}, g.link`;
const DRAGGED = 4; // pixels of the screen before a press is a drag
const NUDGE = 10;

const nameOf = (group) => group.getAttribute('data-path') ?? group.getAttribute('data-bond');

/** The text between the parentheses of a declaration in the open file; null if it is not there. */
function argumentsOf(name) {
    const found = new RegExp(`(?:^|[;{}\\n])\\s*\\w+\\s+${name}\\s*(?:\\[[^\\]]*\\])?\\s*\\(`, 'm').exec(studio.text());
    if (!found) return null;
    let depth = 1, at = found.index + found[0].length;
    for (const start = at; at < studio.text().length; at++) {
        const c = studio.text()[at];
        if (c === '(') depth++;
        if (c === ')' && --depth === 0) return studio.text().slice(start, at);
    }
    return null;
}

const firstArgument = (text) => {
    let depth = 0;
    for (let i = 0; i < text.length; i++) {
        if ('([{'.includes(text[i])) depth++;
        if (')]}'.includes(text[i])) depth--;
        if (text[i] === ',' && depth === 0) return text.slice(0, i).trim();
    }
    return text.trim();
};

export class DiagramEditor {
    constructor({ paper, view, toggle }) {
        Object.assign(this, { paper, view, toggle, chosen: new Set(), connecting: null, focused: null });
        paper.addEventListener('pointerdown', (event) => this.#press(event));
        paper.addEventListener('dblclick', (event) => this.#open(event.target.closest?.(OBJECT)));
        paper.addEventListener('keydown', (event) => this.#key(event));
        paper.addEventListener('focusin', (event) => { const group = event.target.closest?.(ALL); if (group) { this.focused = nameOf(group); this.#handle(group); } });
        paper.addEventListener('pointerover', (event) => { const group = event.target.closest?.(OBJECT); if (group && !this.connecting) this.#handle(group); });
    }

    groups() {
        return [...(this.view.svg?.querySelectorAll(ALL) ?? [])];
    }

    find(name) {
        return this.groups().find((group) => nameOf(group) === name) ?? null;
    }

    /** A new drawing with these new groups: names, focus and selection as before. */
    took(made) {
        for (const group of made) {
            if (!group.matches(ALL)) continue;
            group.setAttribute('tabindex', '0');
            group.setAttribute('role', 'button');
            group.setAttribute('aria-label', group.querySelector(':scope > title')?.textContent.split('\n')[0] ?? nameOf(group));
        }
        this.chosen = new Set([...this.chosen].filter((name) => this.find(name)));
        this.#showChosen();
        this.view.svg.querySelector('.handle')?.remove();
        if (this.paper.contains(document.activeElement) || document.activeElement === document.body) if (this.focused && this.wantsFocus) this.find(this.focused)?.focus();
        this.wantsFocus = false;
    }

    #showChosen() {
        for (const group of this.groups()) group.classList.toggle('chosen', this.chosen.has(nameOf(group)));
    }

    chooseNothing() {
        this.chosen.clear();
        this.#showChosen();
    }

    choose(group, more) {
        if (!more) this.chosen.clear();
        const name = nameOf(group);
        if (more && this.chosen.has(name)) this.chosen.delete(name);
        else this.chosen.add(name);
        this.#showChosen();
    }

    isFree(event) {
        return !event.target.closest?.(`${ALL}, .handle, .pop`);
    }

    /** The place on the paper for a form about an object. */
    #near(group) {
        const box = group.getBoundingClientRect(), corner = this.paper.getBoundingClientRect();
        return { x: box.left - corner.left, y: box.bottom - corner.top + 6 };
    }

    #back(group) {
        const name = nameOf(group);
        return () => (this.find(name) ?? this.paper).focus();
    }

    // ---- moving ----------------------------------------------------------------------------------------------

    #press(event) {
        if (event.button !== 0) return;
        const handle = event.target.closest?.('.handle');
        if (handle) { event.preventDefault(); this.#pull(this.find(handle.getAttribute('data-of')), event); return; }
        const group = event.target.closest?.(ALL);
        if (!group) { if (!event.target.closest?.('.pop')) this.chooseNothing(); return; }
        if (this.connecting) { this.connect(this.connecting, group); return; }
        if (event.shiftKey || !this.chosen.has(nameOf(group))) this.choose(group, event.shiftKey);
        if (group.matches('g.link')) return;
        this.#drag(group, event);
    }

    #drag(group, start) {
        let moved = null;
        const move = (now) => {
            const dx = now.clientX - start.clientX, dy = now.clientY - start.clientY;
            if (!moved && Math.hypot(dx, dy) < DRAGGED) return;
            moved = { x: dx / this.view.scale, y: dy / this.view.scale };
            group.setAttribute('transform', `translate(${moved.x} ${moved.y})`);
        };
        const end = () => {
            removeEventListener('pointermove', move);
            removeEventListener('pointerup', end);
            if (moved) this.place(group, moved.x, moved.y);
        };
        addEventListener('pointermove', move);
        addEventListener('pointerup', end);
    }

    /** The origin of places inside the component around an object. */
    originOf(path) {
        const parent = path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : null;
        const around = parent && [...this.view.svg.querySelectorAll('g.component[data-origin]')].find((group) => group.getAttribute('data-path') === parent);
        const [x, y] = (around?.getAttribute('data-origin') ?? '0,0').split(',').map(Number);
        return { x, y };
    }

    async place(group, dx, dy) {
        const path = nameOf(group), at = placeOf(group), origin = this.originOf(path);
        this.wantsFocus = true;
        if ((await gesture({ gesture: 'place', object: path, x: Math.round(at.x + dx - origin.x), y: Math.round(at.y + dy - origin.y) })) === null) group.removeAttribute('transform');
    }

    // ---- connecting ------------------------------------------------------------------------------------------

    /** The knob that bonds are pulled from. */
    #handle(group) {
        const svg = this.view.svg;
        svg?.querySelector('.handle')?.remove();
        if (!svg || !group.matches(OBJECT) || group.getAttribute('data-open') === 'true') return;
        const box = group.getBBox();
        svg.querySelector('g.graph').append(s('circle', { class: 'handle', cx: box.x + box.width + 7, cy: box.y + box.height / 2, r: 5, 'data-of': nameOf(group) }, s('title', {}, 'Pull a bond from here')));
    }

    #light(from) {
        for (const group of this.groups().filter((other) => other.matches(OBJECT))) {
            const { pairs, reason } = fits(this.view.svg, from, group);
            group.classList.toggle('fits', pairs.length > 0);
            group.classList.toggle('fits-not', pairs.length === 0 && group !== from);
            group.dataset.reason = reason;
        }
    }

    stopConnecting() {
        this.connecting = null;
        for (const group of this.groups()) { group.classList.remove('fits', 'fits-not'); delete group.dataset.reason; }
        this.view.svg?.querySelector('.rubber')?.remove();
    }

    /** Pulls a bond with the mouse. */
    #pull(from, start) {
        if (!from) return;
        const moved = movedOf(this.view.svg), box = from.getBBox(), rubber = s('path', { class: 'rubber' });
        this.view.svg.append(rubber);
        this.#light(from);
        const over = (now) => document.elementFromPoint(now.clientX, now.clientY)?.closest?.(OBJECT);
        const move = (now) => {
            const at = this.view.placeAt(now), target = over(now);
            rubber.setAttribute('d', `M${box.x + box.width} ${box.y + box.height / 2}L${at.x + moved.x} ${at.y + moved.y}`);
            if (target && target !== from && target.dataset.reason) studio.say(`No bond: ${target.dataset.reason}.`, 'warning');
        };
        const end = (now) => {
            removeEventListener('pointermove', move);
            removeEventListener('pointerup', end);
            const target = over(now);
            if (target && target !== from) this.connect(from, target);
            else this.stopConnecting();
        };
        move(start);
        addEventListener('pointermove', move);
        addEventListener('pointerup', end);
    }

    connect(from, to) {
        const { pairs, reason } = fits(this.view.svg, from, to);
        this.stopConnecting();
        if (pairs.length === 0) { studio.say(`No bond from ${nameOf(from)} to ${nameOf(to)}: ${reason}.`, 'warning'); return; }
        const make = ([a, b]) => { this.wantsFocus = true; gesture({ gesture: 'connect', object: a.end, other: b.end }); };
        if (pairs.length === 1) { make(pairs[0]); return; }
        askChoice(this.paper, this.#near(to), 'Between which ends?', pairs.map(([a, b]) => ({ label: `${a.end} → ${b.end}`, title: a.domain === 'any' ? b.domain : a.domain })), (i) => make(pairs[i]), this.#back(to));
    }

    // ---- values and names ------------------------------------------------------------------------------------

    #open(group) {
        if (!group) return;
        if (group.getAttribute('data-kind') === 'component') this.toggle(nameOf(group), group.getAttribute('data-open') !== 'true');
        else this.editValue(group);
    }

    editValue(group) {
        const path = nameOf(group), kind = group.getAttribute('data-kind');
        if (kind === 'component') {
            const own = (studio.listed?.parameters ?? []).filter(({ name }) => name.startsWith(`${path}.`) && !name.slice(path.length + 1).includes('.'));
            const fields = own.map((parameter) => {
                const key = parameter.name.slice(path.length + 1), written = new RegExp(`\\b${key}\\s*=\\s*([^,]*)`).exec(argumentsOf(path) ?? '');
                return { key, label: key, value: written ? written[1].trim() : `${parameter.expression ?? parameter.value} ${parameter.unit ? `[${parameter.unit}]` : ''}`.trim() };
            });
            askFields(this.paper, this.#near(group), `Parameters of ${path}`, [...fields, { key: null, label: 'another argument', value: '', example: 'closed = time > 1 [ms]' }], (key, text) => {
                const said = key === null ? /^\s*(\w+)\s*=(.*)$/.exec(text) : [text, key, text];
                if (said) return gesture({ gesture: 'value', object: path, other: said[1], text: said[2].trim() });
                return studio.say('An argument reads `name = value`.', 'error');
            }, this.#back(group));
            return;
        }
        if (kind === '0' || kind === '1') { this.rename(group); return; }
        const value = firstArgument(argumentsOf(path.split('.').pop()) ?? '');
        askFields(this.paper, this.#near(group), `Value of ${path}`, [{ key: null, label: `${kind} ${path}`, value }], (_, text) => gesture({ gesture: 'value', object: path, text }), this.#back(group));
    }

    rename(group) {
        const path = nameOf(group), name = path.split('.').pop();
        askFields(this.paper, this.#near(group), `Name of ${path}`, [{ key: null, label: 'Name', value: name }], async (_, now) => {
            this.focused = path.slice(0, path.length - name.length) + now;
            this.wantsFocus = true;
            await gesture({ gesture: 'rename', object: path, name: now });
        }, this.#back(group));
    }

    /** An action on the one selected object. */
    onChosen(action) {
        const group = [...this.chosen].map((name) => this.find(name)).find((found) => found?.matches(OBJECT));
        if (group) action.call(this, group);
        else studio.say('Choose an object first.', 'warning');
    }

    async remove() {
        const objects = [...this.chosen];
        if (objects.length === 0) return;
        this.chosen.clear();
        await gesture({ gesture: 'delete', objects });
        this.paper.focus();
    }

    wrap() {
        const objects = [...this.chosen].filter((name) => this.find(name)?.matches(OBJECT));
        if (objects.length === 0) { studio.say('Select the objects of the component first: click, and Shift and click.', 'warning'); return; }
        askFields(this.paper, this.#near(this.find(objects[0])), 'A component of the selection', [{ key: null, label: 'Name of the component', value: 'Part' }], (_, name) => this.wrapAs(objects, name), this.#back(this.find(objects[0])));
        const input = this.paper.querySelector('.pop input');
        input.form.addEventListener('submit', () => { if (input.value.trim() === 'Part') this.wrapAs(objects, 'Part'); });
    }

    wrapAs(objects, name) {
        this.chosen.clear();
        return gesture({ gesture: 'wrap', objects, name });
    }

    // ---- keys ------------------------------------------------------------------------------------------------

    /** The nearest object in a direction, seen from another one. */
    #towards(group, dx, dy) {
        const middle = (of) => { const box = of.getBoundingClientRect(); return { x: box.left + box.width / 2, y: box.top + box.height / 2 }; };
        const from = middle(group);
        let best = null, least = Infinity;
        for (const other of this.groups()) {
            if (other === group) continue;
            const to = middle(other), along = (to.x - from.x) * dx + (to.y - from.y) * dy, across = Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx);
            if (along > 1 && along + 2 * across < least) { least = along + 2 * across; best = other; }
        }
        return best;
    }

    #key(event) {
        const group = event.target.closest?.(ALL), arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
        if (event.ctrlKey || event.metaKey) return;
        const on = (action) => { event.preventDefault(); event.stopPropagation(); action(); };
        const act = { '+': () => this.view.zoom(1.25), '=': () => this.view.zoom(1.25), '-': () => this.view.zoom(0.8), 0: () => this.view.fit(), Home: () => this.view.fit(), w: () => this.wrap(),
            Delete: () => this.remove(), Backspace: () => this.remove(), Escape: () => { this.stopConnecting(); this.chooseNothing(); } }[event.key];
        if (arrow && group && event.altKey && group.matches(OBJECT)) on(() => this.place(group, arrow[0] * NUDGE, arrow[1] * NUDGE));
        else if (arrow && group) on(() => this.#towards(group, ...arrow)?.focus());
        else if (arrow) on(() => this.view.pan(-40 * arrow[0], -40 * arrow[1]));
        else if (group && event.key === ' ') on(() => this.choose(group, true));
        else if (group && event.key === 'Enter') on(() => (this.connecting ? this.connect(this.connecting, group) : group.matches('g.link') ? this.choose(group, false) : this.editValue(group)));
        else if (group?.matches(OBJECT) && event.key === 'F2') on(() => this.rename(group));
        else if (group?.matches(OBJECT) && event.key === 'c') on(() => { this.stopConnecting(); this.connecting = group; this.#light(group); studio.say(`A bond from ${nameOf(group)}: go to its other end and press Enter; Escape gives up.`); });
        else if (group?.getAttribute('data-kind') === 'component' && event.key === 'o') on(() => this.#open(group));
        else if (group?.matches('g.link') && event.key === 'r') on(() => gesture({ gesture: 'reverse', object: nameOf(group) }));
        else if (act) {
            if ((event.key === 'Delete' || event.key === 'Backspace') && group && this.chosen.size === 0) this.choose(group, false);
            on(act);
        }
    }
}
