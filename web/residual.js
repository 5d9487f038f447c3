// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// A faulty run against the nominal one.
import { Run } from './runs.js';

/** The faulty run minus the nominal one, at the times of the faulty run, as a run. */
export function residual(nominal, faulty) {
    const made = new Run(null, 'residual');
    made.columns = faulty.columns;
    made.count = faulty.count;
    made.values = faulty.columns.map(({ name }, k) => {
        const of = faulty.values[k];
        if (k === 0) return of;
        const theirs = nominal.column(name), time = faulty.time(), other = nominal.time();
        const values = new Float64Array(faulty.count);
        for (let i = 0, j = 0; i < faulty.count; i++) {
            if (!theirs) { values[i] = NaN; continue; }
            const t = time[i];
            while (j + 1 < nominal.count && other[j + 1] < t) j++;
            if (j + 1 < nominal.count && other[j + 1] === t) { // of two rows at one time the corresponding one
                j++;
                if (i > 0 && time[i - 1] === t && j + 1 < nominal.count && other[j + 1] === t) j++;
                values[i] = of[i] - theirs[j];
            } else if (other[j] === t || j + 1 >= nominal.count) values[i] = of[i] - theirs[j];
            else values[i] = of[i] - (theirs[j] + (theirs[j + 1] - theirs[j]) * (t - other[j]) / (other[j + 1] - other[j]));
        }
        return values;
    });
    made.state = 'finished';
    return made;
}

/** The least and the greatest value of a column in a stretch of time; infinite if there is none. */
export function extremes(run, name, from, to) {
    const column = run.column(name), time = run.time();
    let low = Infinity, high = -Infinity, first = 0, end = run.count;
    while (first < end) { const middle = (first + end) >> 1; if (time[middle] < from) first = middle + 1; else end = middle; }
    for (let i = first; i < run.count && time[i] <= to; i++) { low = Math.min(low, column[i]); high = Math.max(high, column[i]); }
    return [low, high];
}
