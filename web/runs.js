// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// A run: its rows as they arrive, its events, and its result.
import { Summary } from './decimate.js';
import { ask, askRaw, job, Refused } from './server.js';

const decoder = new TextDecoder();

export class Run {
    constructor(asked, label) {
        Object.assign(this, { asked, label, columns: [], values: [], count: 0, events: [], state: 'waiting', t: 0, stop: 0, result: null, job: null, shown: true });
    }

    #room(more) {
        const needed = this.count + more;
        if (this.values.length && this.values[0].length >= needed) return;
        const room = Math.max(1024, needed, 2 * this.count);
        this.values = this.columns.map((_, i) => {
            const larger = new Float64Array(room);
            if (this.values[i]) larger.set(this.values[i].subarray(0, this.count));
            return larger;
        });
    }

    #take(buffer) {
        const bytes = new Uint8Array(buffer), end = bytes.indexOf(10);
        const head = JSON.parse(decoder.decode(bytes.subarray(0, end)));
        if (head.columns.length) this.columns = head.columns;
        const width = this.columns.length, rows = new Float64Array(buffer, end + 1, head.count * width);
        const skip = this.count - head.first;
        if (skip < 0) throw new Refused(0, { error: 'Rows of the run were lost. Run it again.' });
        this.#room(head.count - skip);
        for (let k = 0; k < width; k++) {
            const column = this.values[k];
            for (let i = skip, at = this.count; i < head.count; i++) column[at++] = rows[i * width + k];
        }
        this.count += head.count - skip;
        this.#events(head.events.slice(this.events.length - head['first event']));
        return head;
    }

    /** Events with the states of all automata before and after each mode. */
    #events(more) {
        for (const { event, words } of more) {
            const before = this.events.at(-1)?.states ?? {};
            let states = { ...before, ...(event.states ?? {}) };
            const modes = event.trace.map((visit) => {
                states = { ...states, ...visit.changed };
                return { ...visit, states };
            });
            this.events.push({ t: event.t, cause: event.cause, words, modes, before, states, verdict: event.verdict, lost: event.energy_lost });
        }
    }

    async #pull() {
        const answer = await askRaw('rows', { job: this.job, rows: this.count, events: this.events.length });
        return this.#take(await answer.arrayBuffer());
    }

    /** Runs; `changed` is called as rows come. */
    async start(changed) {
        let pulling = null;
        const pull = () => {
            pulling ??= this.#pull().then(() => changed(this), () => {}).finally(() => { pulling = null; });
            return pulling;
        };
        this.state = 'running';
        try {
            const done = await job('run', this.asked, {
                begun: (number) => { this.job = number; },
                progress: ({ t, stop }) => { Object.assign(this, { t, stop }); pull(); changed(this); },
            });
            await pulling;
            while (this.count < done.rows || this.events.length < done.events) await this.#pull();
            if (done.rows + done.events > 0) await this.#pull(); // the server may forget it
            this.result = done.result;
            this.state = done.result.error ? 'failed' : done.result.end;
        } catch (error) {
            this.result = { error: error.message };
            this.state = 'failed';
        }
        changed(this);
        return this;
    }

    stopIt() {
        if (this.job !== null && this.state === 'running') ask('stop', { job: this.job }).catch(() => {});
    }

    column(name) {
        const at = this.columns.findIndex((column) => column.name === name);
        return at < 0 ? null : this.values[at];
    }

    /** The places of the lowest and highest value of a column, block by block. */
    summary(name) {
        this.summaries ??= new Map();
        if (!this.summaries.has(name)) this.summaries.set(name, new Summary());
        return this.summaries.get(name).update(this.column(name), this.count);
    }

    time() {
        return this.values[0];
    }

    /** The number of the last row at or before t. */
    rowAt(t) {
        const time = this.values[0];
        let low = 0, high = this.count - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (time[middle] <= t) low = middle; else high = middle - 1;
        }
        return low;
    }

    /** A column at time t, interpolated linearly between two rows. */
    valueAt(name, t) {
        const column = this.column(name), time = this.values[0];
        if (!column || this.count === 0) return NaN;
        const i = this.rowAt(t);
        if (i + 1 >= this.count || time[i + 1] === time[i] || t <= time[i]) return column[i];
        return column[i] + (column[i + 1] - column[i]) * (t - time[i]) / (time[i + 1] - time[i]);
    }
}
