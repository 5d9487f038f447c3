// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Thinned curves against a slow way that looks at every row; merged tables keep the order of time and the rows of each.
import { merge, Summary, visibleRows } from '../../web/decimate.js';
import { equal, ok } from './expect.mjs';

let seed = 1;
const random = () => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed / 2147483648; };

for (let round = 0; round < 40; round++) {
    const count = 2000 + Math.floor(30000 * random()), pixels = 20 + Math.floor(100 * random());
    const x = new Float64Array(count), y = new Float64Array(count), z = new Float64Array(count);
    for (let i = 0, t = 0; i < count; i++) {
        t += random() < 0.1 ? 0 : random(); // some rows share their time
        [x[i], y[i], z[i]] = [t, random() - 0.5, Math.sin(t / 50) + (random() < 0.001 ? 5 : 0)];
    }
    const from = x[Math.floor(count * 0.2 * random())], to = x[count - 1 - Math.floor(count * 0.2 * random())];
    const summaries = [y, z].map((column) => { const made = new Summary(); made.update(column, Math.floor(count / 3)); return made.update(column, count); });
    const rows = visibleRows(x, [y, z], count, from, to, pixels, round % 2 ? summaries : []);
    for (let k = 1; k < rows.length; k++) ok(rows[k] > rows[k - 1], 'rows are in order, each once');
    ok(rows.length <= 6 * (pixels + 4) || rows.length <= 4 * pixels + 4, `few rows: ${rows.length} for ${pixels} pixels`);
    const kept = new Set(rows), width = (to - from) / pixels;
    for (const column of [y, z]) {
        const low = new Map(), high = new Map();
        for (let i = 0; i < count; i++) {
            if (x[i] < from || x[i] >= to) continue;
            const pixel = Math.floor((x[i] - from) / width);
            low.set(pixel, Math.min(low.get(pixel) ?? Infinity, column[i]));
            high.set(pixel, Math.max(high.get(pixel) ?? -Infinity, column[i]));
        }
        const seen = new Map();
        for (const i of kept) {
            const pixel = Math.floor((x[i] - from) / width), at = seen.get(pixel) ?? [Infinity, -Infinity];
            seen.set(pixel, [Math.min(at[0], column[i]), Math.max(at[1], column[i])]);
        }
        // a border may round to either side: what a pixel lacks its neighbour has
        for (const [pixel, value] of low) ok([pixel - 1, pixel, pixel + 1].some((near) => seen.get(near)?.[0] <= value), `pixel ${pixel} keeps its lowest value`);
        for (const [pixel, value] of high) ok([pixel - 1, pixel, pixel + 1].some((near) => seen.get(near)?.[1] >= value), `pixel ${pixel} keeps its highest value`);
    }
}

const merged = merge([[[0, 1, 1, 3], [1, 2, 3, 4]], [[0.5, 1], [7, 8]]]);
equal(JSON.stringify(merged), JSON.stringify([[0, 0.5, 1, 1, 1, 3], [1, null, 2, 3, null, 4], [null, 7, null, null, 8, null]].map((row, i) => (i === 0 ? row : row))), 'rows of both, in order of time');
equal(merged[1][1], undefined, 'nothing, and no gap, where a table has no row');
console.log('1 passed, 0 failed');
