// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Plots over time, one for each unit, with one view of time: zoom and cursor are common to all.
import uPlot from 'uplot';
import { fill, h } from './dom.js';
import { merge, visibleRows } from './decimate.js';
import { axisNumbers, quantity } from './numbers.js';
import { LINEAR, LOG, roomy, ticks } from './scale.js';

const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
export const colour = (number) => css(`--curve-${number % 8}`);
export const DASHES = [undefined, [7, 4], [2, 3], [10, 3, 2, 3]];

/** Ticks of a logarithmic axis: the library's own are only decades. */
const logAxis = (log, count) => (log ? { splits: (_, axis, from, to) => ticks(LOG, from, to, count), filter: (_, splits) => splits } : {});

/** Curves of one unit together; [[unit, [name…]]…]. */
function byUnit(runs, wanted) {
    const groups = new Map();
    for (const run of runs)
        for (const { name, unit } of run.columns.slice(1)) {
            if (wanted && !wanted.has(name)) continue;
            const key = unit ?? '';
            if (!groups.has(key)) groups.set(key, new Set());
            groups.get(key).add(name);
        }
    return [...groups].map(([unit, names]) => [unit, [...names]]);
}

export class Plots {
    /** `told`: view(from, to), cursor(t or null), both after the plots themselves. `rangeOf` may give the range of an axis, for a unit and a view. */
    constructor(host, told = {}) {
        Object.assign(this, { host, told, runs: [], plots: [], view: null, full: null, logX: false, logY: false, wanted: null, key: '', numbers: new Map(), rangeOf: null });
        new ResizeObserver(() => this.#resize()).observe(host);
    }

    /** Shows these runs; runs without rows yet are left out. */
    show(runs) {
        this.runs = runs.filter((run) => run.shown && run.count > 0);
        const groups = byUnit(this.runs, this.wanted);
        const key = JSON.stringify([groups, this.runs.map((run) => run.columns.map((column) => column.name)), this.logX, this.logY, css('--text')]); // the colour depends on the theme
        this.#measure();
        if (key !== this.key) this.#build(groups, key);
        this.#fill();
    }

    /** Of the axis of time. */
    get scale() {
        return this.logX ? LOG : LINEAR;
    }

    /** Whether axes are logarithmic. */
    setLog(key, on) {
        this[key] = on;
        if (key === 'logX') this.view = null;
    }

    /** The beginning of a run: on a logarithmic axis the first time that is on it. */
    #begin(run) {
        const time = run.time();
        let i = 0;
        while (this.logX && i + 1 < run.count && !(time[i] > 0)) i++;
        return this.logX && !(time[i] > 0) ? 1 : time[i];
    }

    #measure() {
        const ends = this.runs.map((run) => [this.#begin(run), Math.max(run.time()[run.count - 1], run.state === 'running' ? run.stop : 0)]);
        const followed = !this.view || (this.full && this.view[0] === this.full[0] && this.view[1] === this.full[1]);
        this.full = ends.length ? [Math.min(...ends.map(([first]) => first)), Math.max(...ends.map(([, last]) => last))] : [0, 1];
        if (!(this.full[1] > this.full[0])) this.full[1] = this.full[0] + Math.max(1, this.full[0]);
        if (followed) this.view = [...this.full];
    }

    #build(groups, key) {
        for (const { plot } of this.plots) plot.destroy();
        this.key = key;
        this.plots = [];
        this.host.style.setProperty('--plots', String(Math.min(3, groups.length))); // that are visible at once
        fill(this.host);
        for (const [unit, names] of groups) {
            const box = h('div', { class: 'plot', tabindex: '0', role: 'img', 'aria-label': `Plot of ${names.join(', ')}`, onkeydown: (event) => this.#key(event) });
            const legend = h('div', { class: 'legend' });
            this.host.append(h('figure', {}, legend, box));
            for (const name of names) if (!this.numbers.has(name)) this.numbers.set(name, this.numbers.size);
            const series = this.runs.flatMap((run, r) => names.map((name) => ({ run, name, dash: DASHES[(this.runs.length - 1 - r) % 4] })));
            const told = { unit }; // that of the axis, with its prefix
            const plot = new uPlot(this.#options(unit, series, this.plots.length === groups.length - 1, told), [[], ...series.map(() => [])], box);
            this.plots.push({ plot, box, unit, names, series, legend, told });
        }
        this.#resize();
    }

    #options(unit, series, last, told) {
        const axis = { stroke: css('--text'), grid: { stroke: css('--grid'), width: 1 }, ticks: { stroke: css('--grid'), width: 1 }, font: '12px system-ui, sans-serif' };
        const times = (splits) => {
            const { texts, unit: shown } = axisNumbers(splits, 's');
            return splits.map((value, i) => (this.logX ? quantity(value, 's', 6) : `${texts[i]} ${shown}`));
        };
        const upwards = (splits) => {
            const { texts, unit: shown } = axisNumbers(splits.filter((value) => value !== null), unit, this.logY);
            told.unit = shown;
            return splits.map((value) => (value === null ? '' : texts.shift()));
        };
        return {
            width: 400, height: 150, legend: { show: false }, pxAlign: false, padding: [6, 28, 0, 0],
            scales: { x: { time: false, distr: this.logX ? 3 : 1, range: () => this.view }, y: this.#scaleOf(unit) },
            axes: [{ ...axis, ...logAxis(this.logX, 8), space: 76, size: last ? 28 : 6, values: (_, splits) => (last ? times(splits) : splits.map(() => '')) },
                { ...axis, ...logAxis(this.logY, 4), size: 66, space: 24, values: (_, splits) => upwards(splits) }],
            cursor: { drag: { x: true, y: false, setScale: false }, sync: { key: `hbg-${this.syncKey()}` }, points: { show: false }, y: false },
            series: [{}, ...series.map(({ run, name, dash }) => ({ stroke: colour(this.numbers.get(name)), width: 1.6, dash, spanGaps: false, points: { show: false }, alpha: run === this.runs.at(-1) ? 1 : 0.75 }))],
            hooks: {
                setSelect: [(plot) => this.#selected(plot)],
                setCursor: [(plot) => plot.cursor.event && this.#pointed(plot)],
                ready: [(plot) => this.#listen(plot)],
                draw: [(plot) => this.#drawn(plot)],
            },
        };
    }

    #scaleOf(unit) {
        if (this.logY) return { distr: 3, range: (_, low, high) => roomy(LOG, low ?? NaN, high ?? NaN) };
        return { distr: 1, ...(this.rangeOf ? { range: () => roomy(LINEAR, ...this.rangeOf(unit, this.view)) } : {}) };
    }

    syncKey() {
        this.sync ??= Math.random().toString(36).slice(2);
        return this.sync;
    }

    #selected(plot) {
        if (plot.select.width < 4) return;
        const from = plot.posToVal(plot.select.left, 'x'), to = plot.posToVal(plot.select.left + plot.select.width, 'x');
        plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
        this.look(from, to);
    }

    #pointed(plot) {
        const t = plot.cursor.left >= 0 ? plot.posToVal(plot.cursor.left, 'x') : null;
        this.#legends(t);
        this.told.cursor?.(t);
    }

    /** Points at a time, as the mouse would; null: at none. */
    point(t) {
        for (const { plot } of this.plots) plot.setCursor({ left: t === null || !Number.isFinite(this.scale.of(t)) ? -10 : plot.valToPos(t, 'x'), top: 0 }, false);
        this.#legends(t);
    }

    /** Wheel: nearer and farther; drag with the right button or Shift: along. */
    #listen(plot) {
        const over = plot.over;
        over.addEventListener('wheel', (event) => {
            event.preventDefault();
            const at = this.scale.of(plot.posToVal(event.offsetX, 'x')), factor = event.deltaY > 0 ? 1.25 : 0.8;
            this.#stretch(([from, to]) => [at - (at - from) * factor, at + (to - at) * factor]);
        }, { passive: false });
        over.addEventListener('dblclick', () => this.reset());
        over.addEventListener('contextmenu', (event) => event.preventDefault());
        over.addEventListener('mousedown', (event) => {
            if (event.button !== 2 && !event.shiftKey) return;
            event.stopImmediatePropagation();
            const begin = event.clientX, view = [...this.view];
            const move = (to) => this.#stretch(([a, b]) => { const by = (begin - to.clientX) * (b - a) / over.clientWidth; return [a + by, b + by]; }, view);
            const up = () => { removeEventListener('mousemove', move); removeEventListener('mouseup', up); };
            addEventListener('mousemove', move);
            addEventListener('mouseup', up);
        }, true);
    }

    #key(event) {
        const shares = { ArrowLeft: [-1 / 8, -1 / 8], ArrowRight: [1 / 8, 1 / 8], '+': [1 / 8, -1 / 8], '=': [1 / 8, -1 / 8], '-': [-1 / 6, 1 / 6] }[event.key];
        if ((!shares && event.key !== '0' && event.key !== 'Home') || event.ctrlKey || event.altKey) return;
        event.preventDefault();
        if (shares) this.#stretch(([from, to]) => [from + (to - from) * shares[0], to + (to - from) * shares[1]]);
        else this.reset();
    }

    /** Another view, computed from the ends of one as lengths along the axis. */
    #stretch(make, view = this.view) {
        this.look(...make(view.map(this.scale.of)).map(this.scale.back));
    }

    /** Another view of time. */
    look(from, to) {
        if (this.logX && !(from > 0)) from = this.full[0];
        if (!(to > from) || !Number.isFinite(to)) return;
        const least = (this.full[1] - this.full[0]) * 1e-9;
        if (to - from < least) return;
        this.view = [from, to];
        this.#fill();
    }

    reset() {
        this.view = [...this.full];
        this.#fill();
    }

    /** Redraws with the next frame: many views in one frame are one drawing. */
    #fill() {
        this.waiting ??= requestAnimationFrame(() => {
            this.waiting = null;
            this.#fillNow();
        });
    }

    #fillNow() {
        for (const of of this.plots) {
            const pixels = Math.max(100, of.plot.over.clientWidth);
            const tables = this.runs.map((run) => {
                const columns = of.names.map((name) => run.column(name));
                const having = of.names.filter((name) => run.column(name));
                const rows = visibleRows(run.time(), having.map((name) => run.column(name)), run.count, this.view[0], this.view[1], pixels, having.map((name) => run.summary(name)), this.scale);
                const pick = (column) => Array.from(rows, (row) => {
                    const value = column ? column[row] : undefined;
                    return this.logY && !(value > 0) ? null : value;
                });
                return [pick(run.time()), ...columns.map(pick)];
            });
            of.plot.setData(tables.length ? merge(tables) : [[]], true);
        }
        this.#legends(null);
        if (this.plots.length === 0) this.told.view?.(...this.view, null, this.scale);
    }

    /** Strips under the plots have to begin and end where they do, which a plot knows once it is drawn. */
    #drawn(plot) {
        const of = this.plots.find((one) => one.plot === plot), unit = of?.legend.querySelector('.unit');
        if (unit) unit.textContent = of.told.unit || ' ';
        if (plot === this.plots[0]?.plot) this.told.view?.(...this.view, [plot.over.offsetLeft, plot.over.clientWidth], this.scale);
    }

    #legends(t) {
        for (const of of this.plots)
            fill(of.legend, h('span', { class: 'unit' }, of.told.unit || ' '), of.names.map((name) => h('span', { class: 'curve' },
                h('i', { class: `line line-${this.numbers.get(name) % 8}` }), name,
                t === null ? null : this.runs.map((run) => h('b', {}, ' ', quantity(run.valueAt(name, t), of.unit))))));
    }

    #resize() {
        const width = this.host.clientWidth, count = this.plots.length;
        if (!width || !count) return;
        const room = (this.host.clientHeight - 24) / count - 24;
        const height = Math.max(76, Math.min(360, room));
        this.plots.forEach(({ plot }, i) => plot.setSize({ width, height: i === count - 1 ? height + 22 : height }));
        this.#fill();
    }
}
