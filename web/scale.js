// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Linear and logarithmic axes: `of` makes a value a length along the axis, `back` undoes it.

export const LINEAR = { of: (value) => value, back: (length) => length, log: false };
/** Only values above zero have a place on it. */
export const LOG = { of: (value) => (value > 0 ? Math.log10(value) : -Infinity), back: (length) => 10 ** length, log: true };

function linearTicks(from, to, count) {
    const raw = (to - from) / count, power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= raw);
    const made = [];
    for (let k = Math.ceil(from / step); k * step <= to + 1e-9 * step; k++) made.push(k * step);
    return made;
}

/** Decades, with 2 and 5 in between if they are few, or every n-th if they are many. */
function logTicks(from, to, count) {
    const decades = Math.log10(to / from);
    if (decades < 1) return linearTicks(from, to, count);
    const factors = 3 * decades <= count ? [1, 2, 5] : [1], every = Math.max(1, Math.ceil(decades / count)), made = [];
    for (let k = Math.floor(Math.log10(from)); k <= Math.log10(to); k++)
        if (k % every === 0) for (const factor of factors) made.push(Number(`${factor}e${k}`));
    return made.filter((value) => value >= from * (1 - 1e-9) && value <= to * (1 + 1e-9));
}

/** Round values between two, about so many. */
export function ticks(scale, from, to, count) {
    return scale.log ? logTicks(from, to, count) : linearTicks(from, to, count);
}

/** A range with some room at both ends; an empty one, or one of a single value, is widened. */
export function roomy(scale, low, high, share = 0.06) {
    if (scale.log && !(low > 0 && high < Infinity)) return [0.1, 1];
    if (!Number.isFinite(low) || !Number.isFinite(high)) return [-1, 1];
    const [a, b] = [scale.of(low), scale.of(high)], room = share * (b - a || (scale.log ? 10 : Math.abs(a) || 1));
    return [scale.back(a - room), scale.back(b + room)];
}
