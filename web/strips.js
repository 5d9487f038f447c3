// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Under the plots: a line of events, by kind, and a strip for each automaton with the states it is in.
import { fill, h } from './dom.js';
import { quantity } from './numbers.js';
import { LINEAR } from './scale.js';

const LEFT = 66, ROW = 18; // pixels: that of the plots' axis, and of a strip
export const KINDS = ['mythical', 'pinnacle', 'boundary', 'continuous'];

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** The symbol of an event: that of the rarest kind of mode it went through. */
export function kindOf(event) {
    if (event.verdict) return 'verdict';
    for (const kind of KINDS) if (event.modes.some((mode) => mode.kind === kind)) return kind;
    return 'none';
}

/** Automata that switch in the run, with when: [{ name, changes: [[t, state]…] }]. */
function strips(run) {
    const found = new Map();
    for (const event of run.events)
        for (const [name, state] of Object.entries(event.states)) {
            const changes = found.get(name) ?? found.set(name, []).get(name);
            if (changes.at(-1)?.[1] !== state) changes.push([event.t, state]);
        }
    return [...found].map(([name, changes]) => ({ name, changes })).filter(({ changes }) => changes.length > 1);
}

/** As much of a name as fits. */
function shortened(draw, name, room) {
    let text = name;
    for (let length = name.length; length > 1 && draw.measureText(text).width > room; length--) text = `${name.slice(0, length - 1)}…`;
    return text;
}

export class Strips {
    /** `choose(event, number)` when an event is clicked, or reached with the arrow keys. */
    constructor(host, choose) {
        this.canvas = h('canvas', { class: 'strips', tabindex: '0', role: 'listbox', 'aria-label': 'Events: arrow keys go from one to the next' });
        this.note = h('p', { class: 'note' });
        Object.assign(this, { host, choose, run: null, view: [0, 1], chosen: -1, area: [LEFT, 100], scale: LINEAR });
        fill(host, this.canvas, this.note);
        this.canvas.addEventListener('click', (event) => this.#click(event));
        this.canvas.addEventListener('keydown', (event) => this.#key(event));
        this.canvas.addEventListener('mousemove', (event) => this.#hover(event));
    }

    show(run, view) {
        if (run !== this.run) this.chosen = -1;
        this.run = run;
        if (view) this.view = view;
        this.#draw();
    }

    /** Another view of time; `area`: where the plots have it, [left, width] in pixels. */
    look(from, to, area, scale = LINEAR) {
        Object.assign(this, { view: [from, to], scale });
        if (area) this.area = area;
        this.#draw();
    }

    pick(number) {
        if (!this.run?.events[number]) return;
        this.chosen = number;
        this.#draw();
        this.choose(this.run.events[number], number);
    }

    #x(t) {
        const [at, from, to] = [t, ...this.view].map(this.scale.of);
        return this.area[0] + (at - from) / (to - from) * this.area[1];
    }

    #near(event) {
        const box = this.canvas.getBoundingClientRect(), x = event.clientX - box.left;
        let best = -1, least = 9;
        this.run?.events.forEach(({ t }, i) => {
            const away = Math.abs(this.#x(t) - x);
            if (away < least || (away === least && i === this.chosen)) { least = away; best = i; }
        });
        return best;
    }

    #click(event) {
        const number = this.#near(event);
        if (number >= 0) this.pick(number);
    }

    #hover(event) {
        const number = this.#near(event), at = this.run?.events[number];
        this.canvas.style.cursor = at ? 'pointer' : 'default';
        const strip = this.run ? strips(this.run)[Math.floor((event.offsetY - 22) / ROW)] : null;
        if (strip && !at) { this.canvas.title = strip.name; return; }
        this.canvas.title = at ? `${quantity(at.t, 's')}: ${at.cause.join('; ') || 'start'} (${kindOf(at)})` : '';
    }

    #key(event) {
        const count = this.run?.events.length ?? 0;
        const to = { ArrowRight: this.chosen + 1, ArrowLeft: Math.max(0, this.chosen - 1), Home: 0, End: count - 1 }[event.key];
        if (to === undefined || count === 0) return;
        event.preventDefault();
        this.pick(Math.min(to, count - 1));
    }

    #draw() {
        const rows = this.run ? strips(this.run) : [], shown = rows.slice(0, 10);
        this.width = this.host.clientWidth;
        const height = this.run?.events.length ? 22 + ROW * shown.length : 0, scale = devicePixelRatio;
        this.canvas.hidden = height === 0;
        this.note.textContent = rows.length > 10 ? `${rows.length - 10} more automata switch` : '';
        if (!this.width || height === 0) return;
        this.canvas.width = this.width * scale;
        this.canvas.height = height * scale;
        this.canvas.style.height = `${height}px`;
        const draw = this.canvas.getContext('2d');
        draw.scale(scale, scale);
        draw.font = '12px system-ui, sans-serif';
        shown.forEach((strip, i) => this.#strip(draw, strip, 22 + ROW * i));
        this.#events(draw);
    }

    #strip(draw, { name, changes }, y) {
        const states = [...new Set(changes.map(([, state]) => state))].sort();
        draw.fillStyle = css('--muted');
        draw.textAlign = 'right';
        draw.fillText(shortened(draw, name, this.area[0] - 8), this.area[0] - 6, y + 12);
        draw.textAlign = 'left';
        draw.save();
        draw.beginPath();
        draw.rect(this.area[0], y, this.area[1], ROW);
        draw.clip();
        changes.forEach(([t, state], i) => {
            const from = Math.max(this.area[0], this.#x(t)), to = Math.min(this.area[0] + this.area[1], this.#x(changes[i + 1]?.[0] ?? Infinity));
            if (!(to > from)) return;
            draw.fillStyle = css(`--strip-${states.indexOf(state) % 4}`);
            draw.fillRect(from, y + 1, Math.max(to - from - 1, 0.5), ROW - 3);
            if (to - from < draw.measureText(state).width + 8) return;
            draw.fillStyle = css('--text');
            draw.fillText(state, from + 4, y + 12);
        });
        draw.restore();
    }

    #events(draw) {
        draw.fillStyle = css('--muted');
        draw.textAlign = 'right';
        draw.fillText('events', this.area[0] - 6, 13);
        draw.strokeStyle = css('--grid');
        draw.strokeRect(this.area[0], 10.5, this.area[1], 0);
        let last = -Infinity;
        this.run.events.forEach((event, i) => {
            const x = this.#x(event.t), chosen = i === this.chosen;
            if (x < this.area[0] - 1 || x > this.area[0] + this.area[1] + 1 || (x - last < 0.5 && !chosen)) return;
            last = x;
            this.#mark(draw, x, kindOf(event), chosen);
        });
    }

    /** A shape for each kind, so that not only colour distinguishes them. */
    #mark(draw, x, kind, chosen) {
        const y = 10.5, size = chosen ? 6.5 : 4.5;
        draw.fillStyle = css(`--kind-${kind}`);
        draw.strokeStyle = css('--text');
        draw.beginPath();
        if (kind === 'mythical') { draw.moveTo(x, y - size); draw.lineTo(x + size, y + size); draw.lineTo(x - size, y + size); draw.closePath(); }
        else if (kind === 'pinnacle') { draw.moveTo(x, y - size); draw.lineTo(x + size, y); draw.lineTo(x, y + size); draw.lineTo(x - size, y); draw.closePath(); }
        else if (kind === 'boundary') draw.rect(x - size / 2, y - size, size, 2 * size);
        else if (kind === 'none') draw.arc(x, y, size / 2, 0, 7);
        else draw.arc(x, y, size, 0, 7);
        draw.fill();
        if (chosen) draw.stroke();
    }
}
