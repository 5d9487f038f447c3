// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Curves with as many points as pixels can show: of the rows in one pixel the lowest and the highest of each column are kept, so the picture does not change.
import { LINEAR } from './scale.js';

function lowerBound(x, count, value) {
    let low = 0, high = count;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (x[middle] < value) low = middle + 1; else high = middle;
    }
    return low;
}

const BLOCK = 64; // rows

/** The places of the lowest and the highest value of a column in each block of rows, so a pixel with thousands of rows need not visit all. */
export class Summary {
    low = new Int32Array(0);
    high = new Int32Array(0);
    blocks = 0;

    /** Adds the rows that have arrived since. */
    update(y, count) {
        const blocks = Math.floor(count / BLOCK);
        if (this.low.length < blocks)
            for (const key of ['low', 'high']) {
                const larger = new Int32Array(Math.max(blocks, 2 * this.low.length));
                larger.set(this[key]);
                this[key] = larger;
            }
        for (; this.blocks < blocks; this.blocks++) {
            const first = this.blocks * BLOCK;
            [this.low[this.blocks], this.high[this.blocks]] = extremes(y, first, first + BLOCK);
        }
        return this;
    }
}

function extremes(y, first, end, summary) {
    let low = first, high = first;
    for (let k = first; k < end; k++) {
        const block = k / BLOCK;
        if (summary && k % BLOCK === 0 && k + BLOCK <= end && block < summary.blocks) {
            if (y[summary.low[block]] < y[low]) low = summary.low[block];
            if (y[summary.high[block]] > y[high]) high = summary.high[block];
            k += BLOCK - 1;
        } else {
            if (y[k] < y[low]) low = k;
            if (y[k] > y[high]) high = k;
        }
    }
    return [low, high];
}

/** The first row from `from` on whose x is not less than `value`, by doubling steps. */
function gallop(x, from, end, value) {
    let step = 1;
    while (from + step < end && x[from + step] < value) step *= 2;
    const most = Math.min(end, from + step);
    let low = from, high = most;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (x[middle] < value) low = middle + 1; else high = middle;
    }
    return low;
}

/** Numbers of the rows to be drawn between `from` and `to` on `pixels`, plus one on either side, so that lines leave the picture. */
export function visibleRows(x, columns, count, from, to, pixels, summaries = [], scale = LINEAR) {
    const least = scale.log ? lowerBound(x, count, Number.MIN_VALUE) : 0; // values not on the axis
    const first = Math.max(least, lowerBound(x, count, from) - 1), last = Math.min(count, lowerBound(x, count, to) + 2);
    if (last - first <= 4 * pixels) return Int32Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i);
    const rows = [];
    const begin = scale.of(from), width = (scale.of(to) - begin) / pixels;
    let i = first;
    while (i < last) {
        const border = scale.back(begin + (Math.floor((scale.of(x[i]) - begin) / width) + 1) * width);
        const end = Math.max(i + 1, gallop(x, i, last, border));
        const kept = [i, end - 1];
        columns.forEach((y, k) => kept.push(...extremes(y, i, end, summaries[k])));
        kept.sort((a, b) => a - b);
        for (let k = 0; k < kept.length; k++) if (k === 0 || kept[k] !== kept[k - 1]) rows.push(kept[k]);
        i = end;
    }
    return Int32Array.from(rows);
}

/** Tables [x, y…] with different rows merged: rows in order of x, and nothing where a table has no row. */
export function merge(tables) {
    if (tables.length === 1) return tables[0];
    const total = tables.reduce((sum, table) => sum + table[0].length, 0);
    const width = tables.reduce((sum, table) => sum + table.length - 1, 0);
    const x = new Array(total), ys = Array.from({ length: width }, () => new Array(total).fill(undefined));
    const at = tables.map(() => 0);
    for (let row = 0; row < total; row++) {
        let best = -1;
        for (let k = 0; k < tables.length; k++)
            if (at[k] < tables[k][0].length && (best < 0 || tables[k][0][at[k]] < tables[best][0][at[best]])) best = k;
        x[row] = tables[best][0][at[best]];
        for (let k = 0, column = 0; k < tables.length; column += tables[k].length - 1, k++)
            if (k === best) for (let c = 1; c < tables[k].length; c++) ys[column + c - 1][row] = tables[k][c][at[k]];
        at[best]++;
    }
    return [x, ...ys];
}
