// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Playback: a moment of a run, moved by hand or automatically, with the diagram in the mode of that moment and the recorded values.
import { applyMarks } from './diagram_marks.js';
import { drawing } from './drawing.js';
import { fill, h } from './dom.js';
import { modeText } from './diagram.js';
import { ask } from './server.js';
import { quantity } from './numbers.js';

const STEPS = 1000; // of the slider
const WHOLE = 10; // s to play a run at single speed

/** States of all automata at a time: those after the last event up to then. */
export function statesAt(run, t) {
    let low = 0, high = run.events.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (run.events[middle].t <= t) low = middle + 1; else high = middle;
    }
    return low > 0 ? run.events[low - 1].states : {};
}

export class Playback {
    /** `about`: where the picture goes; `moved(t)`: another moment is shown, null: none. */
    constructor(about, moved) {
        Object.assign(this, { about, moved, run: null, t: 0, playing: false, marks: new Map(), svg: null, shown: null });
        this.button = h('button', { type: 'button', title: 'Play the run', 'aria-label': 'Play', onclick: () => (this.playing ? this.pause() : this.play()) }, '▶');
        this.slider = h('input', { type: 'range', min: '0', max: String(STEPS), step: '1', value: '0', 'aria-label': 'Moment of the run', oninput: () => { this.pause(); this.go(this.#timeOf(Number(this.slider.value))); } });
        this.label = h('span', { class: 'number' });
        this.speed = h('select', { 'aria-label': 'Speed' }, [0.1, 0.5, 1, 2, 5].map((speed) => h('option', { value: String(speed) }, `${speed} ×`)));
        this.speed.value = '1';
        this.element = h('div', { class: 'bar playback', role: 'group', 'aria-label': 'Playback', hidden: true }, this.button, this.slider, this.speed, this.label);
        this.paper = h('div', { class: 'paper small' });
        this.values = h('tbody');
        this.body = h('div', { class: 'moment' }, h('div', { class: 'bar' }, h('h3', {}, 'The run at this moment'), h('button', { type: 'button', class: 'quiet', 'aria-label': 'Close', onclick: () => this.close() }, '✕')),
            this.paper, h('table', {}, h('caption', {}, 'Recorded'), this.values));
    }

    /** Sets the run to be played; null: none. */
    show(run) {
        const ready = run && run.count > 1 && run.state !== 'running' ? run : null;
        if (ready === this.run) return;
        this.pause();
        Object.assign(this, { run: ready, svg: null, shown: null, t: ready?.time()[0] ?? 0 });
        this.marks.clear();
        this.element.hidden = !ready;
        this.slider.value = '0';
        this.label.textContent = '';
        if (this.body.isConnected) this.close();
    }

    #ends() {
        const time = this.run.time();
        return [time[0], time[this.run.count - 1]];
    }

    #timeOf(step) {
        const [first, last] = this.#ends();
        return first + (last - first) * step / STEPS;
    }

    play() {
        if (!this.run) return;
        const [first, last] = this.#ends();
        if (this.t >= last) this.t = first;
        this.playing = true;
        this.button.textContent = '❚❚';
        this.button.setAttribute('aria-label', 'Pause');
        let before = performance.now();
        const step = (now) => {
            if (!this.playing) return;
            this.go(Math.min(last, this.t + (last - first) * (now - before) / 1000 / WHOLE * Number(this.speed.value)));
            before = now;
            if (this.t >= last) this.pause();
            else requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
    }

    pause() {
        this.playing = false;
        this.button.textContent = '▶';
        this.button.setAttribute('aria-label', 'Play');
    }

    /** Shows the run at a time. */
    go(t) {
        const [first, last] = this.#ends();
        this.t = t;
        this.slider.value = String(last > first ? Math.round(STEPS * (t - first) / (last - first)) : 0);
        this.label.textContent = quantity(t, 's', 5);
        if (!this.body.isConnected) {
            fill(this.about, this.body);
            this.about.hidden = false;
            this.about.parentElement.classList.add('told');
        }
        fill(this.values, this.run.columns.slice(1).map(({ name, unit }) => h('tr', {}, h('th', { scope: 'row' }, name), h('td', { class: 'number' }, quantity(this.run.valueAt(name, t), unit)))));
        this.#draw(statesAt(this.run, t));
        this.moved(t);
    }

    close() {
        this.pause();
        fill(this.about);
        this.about.hidden = true;
        this.about.parentElement?.classList.remove('told');
        this.moved(null);
    }

    #ask(mode, more) {
        const { path, text, model, parameters } = this.run.asked;
        return ask('draw', { path, text, model, parameters, mode, ...more });
    }

    /** The drawing once, then the marks of each mode once. */
    async #draw(states) {
        const run = this.run, mode = modeText(states);
        if (mode === this.shown) return;
        this.shown = mode;
        try {
            if (!this.svg) {
                const answer = await this.#ask(mode, { 'no automata': true, bare: true });
                if (run !== this.run || !answer.svg) return;
                this.svg = drawing(answer.svg);
                this.svg.setAttribute('viewBox', `0 0 ${this.svg.getAttribute('width')} ${this.svg.getAttribute('height')}`);
                this.marks.set(mode, answer.marks);
                fill(this.paper, this.svg);
            }
            if (!this.marks.has(mode)) this.marks.set(mode, (await this.#ask(mode, { 'marks only': true })).marks);
            if (run === this.run && mode === this.shown && this.marks.get(mode)) applyMarks(this.svg, this.marks.get(mode));
        } catch (error) {
            fill(this.paper, h('p', { class: 'note' }, error.message));
        }
        this.element.dataset.mode = mode;
    }
}
