// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The energy balance of a run as a Sankey diagram: input on the left, its uses on the right, and the unexplained rest.
import { h, s } from './dom.js';
import { quantity } from './numbers.js';

/** Two sides of one sum: [{ label, kind, value }] each, all positive. */
export function sides(ledger) {
    const left = [], right = [];
    const put = (label, kind, value) => {
        if (!(Math.abs(value) > 1e-12 * ledger.scale)) return;
        (value > 0 ? left : right).push({ label, kind, value: Math.abs(value) });
    };
    for (const { name, kind, work } of ledger.work) put(name, kind, kind === 'supplied' ? work : -work);
    for (const { name, before, after } of ledger.stored) put(name, before > after ? 'given back by storages' : 'stored', before - after);
    put('jumps', 'lost in jumps', -ledger.lost_in_jumps);
    put('parameters', 'by parameters', ledger.by_parameters);
    const size = (a, b) => b.value - a.value;
    return [left.sort(size), right.sort(size)];
}

const ROOM = 9; // rows of a side; the rest is one

function shorten(side) {
    if (side.length <= ROOM) return side;
    const rest = side.slice(ROOM - 1);
    return [...side.slice(0, ROOM - 1), { label: `${rest.length} more`, kind: 'others', value: rest.reduce((sum, { value }) => sum + value, 0) }];
}

export function ledgerPicture(ledger) {
    if (!ledger) return h('p', { class: 'note' }, 'This run kept no energy balance.');
    const [left, right] = sides(ledger).map(shorten);
    const sum = Math.max(...[left, right].map((side) => side.reduce((total, { value }) => total + value, 0)), Number.MIN_VALUE);
    const rows = Math.max(left.length, right.length, 1), height = 30 * rows + 20, bar = height - 20;
    const picture = s('svg', { viewBox: `0 0 640 ${height}`, class: 'flows', role: 'img', 'aria-label': 'Energy flows' });
    const column = (side, at, into) => {
        let y = 10, inner = 10;
        const gap = side.length > 1 ? (bar - bar * 0.86) / (side.length - 1) : 0;
        for (const { label, kind, value } of side) {
            const thick = Math.max(1.2, bar * 0.86 * value / sum), flow = bar * value / sum;
            const middle = y + thick / 2, centre = inner + flow / 2, [from, to] = into ? [190, 300] : [340, 450];
            const [y1, y2] = into ? [middle, centre] : [centre, middle];
            picture.append(s('path', { class: `flow flow-${kind.split(' ')[0]}`, 'stroke-width': Math.max(1.2, thick), d: `M${from} ${y1}C${(from + to) / 2} ${y1} ${(from + to) / 2} ${y2} ${to} ${y2}` }, s('title', {}, `${label}: ${quantity(value, 'J')}, ${kind}`)),
                s('text', { x: into ? 182 : 458, y: middle + 4, 'text-anchor': into ? 'end' : 'start' }, `${label} `, s('tspan', { class: 'amount' }, quantity(value, 'J', 4))));
            y += Math.max(thick + gap, 22);
            inner += flow;
        }
        if (y + 10 > height) picture.setAttribute('viewBox', `0 0 640 ${y + 10}`);
    };
    picture.append(s('rect', { x: 300, y: 10, width: 40, height: bar, class: 'hub', rx: 3 }));
    column(left, 0, true);
    column(right, 1, false);
    const share = ledger.scale > 0 ? Math.abs(ledger.residual) / ledger.scale : 0;
    return h('figure', { class: 'ledger' }, h('figcaption', {}, h('b', {}, 'Energy'), ' in, and where it went. Not accounted for: ', quantity(ledger.residual, 'J', 3), ` (${share.toExponential(1)} of the largest)`), picture);
}
