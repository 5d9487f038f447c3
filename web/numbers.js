// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Readable numbers: few digits, with a prefix of the unit if that is usual.

const PREFIXES = [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n'], [1e-12, 'p'], [1e-15, 'f']];
const WITH_PREFIX = /^(s|m|N|Pa|J|W|V|A|Ohm|F|H|C|S|Wb|Hz|T|g)$/;

export function plain(value, digits = 6) {
    if (!Number.isFinite(value)) return String(value);
    if (value === 0) return '0';
    const size = Math.abs(value);
    const text = size >= 1e-4 && size < 1e7 ? value.toPrecision(digits) : value.toExponential(digits - 1);
    return text.includes('e') ? text.replace(/\.?0+e/, 'e') : text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** "1.5 ms" of 0.0015 and "s". */
export function quantity(value, unit, digits = 5) {
    if (!unit) return plain(value, digits);
    if (!Number.isFinite(value) || value === 0 || !WITH_PREFIX.test(unit)) return `${plain(value, digits)} ${unit}`;
    const [factor, prefix] = PREFIXES.find(([least]) => Math.abs(value) >= least * 0.9999999) ?? [1, ''];
    return `${plain(value / factor, digits)} ${prefix}${unit}`;
}

/** The digits by which values along an axis differ from their neighbours: those of the largest above the smallest step between two, plus one more of the step, as of 2.5;
 * at least five, and at most those of a number. */
function digitsOf(values, size) {
    const steps = values.slice(1).map((value, i) => Math.abs(value - values[i])).filter((step) => step > 0);
    if (steps.length === 0) return 5;
    return Math.min(Math.max(5, Math.floor(Math.log10(size)) - Math.floor(Math.log10(Math.min(...steps) * 1.0001)) + 2), 15);
}

/** Values along an axis, all in one form: { texts, unit }. With one prefix of the unit if they are small or large relative to it, else with
 * exponents if one of them needs one. Along a logarithmic axis no prefix fits all. */
export function axisNumbers(values, unit, log = false) {
    const size = Math.max(...values.map(Math.abs)), least = Math.min(...values.filter((value) => value !== 0).map(Math.abs));
    const fits = log || !WITH_PREFIX.test(unit ?? '') || !(size > 0) || (size >= 0.1 && size < 1e4);
    const [factor, prefix] = fits ? [1, ''] : PREFIXES.find(([from]) => size >= from * 0.9999999) ?? PREFIXES.at(-1);
    const long = size / factor >= 1e6 || (log ? least < 1e-3 : size / factor < 1e-2), digits = log ? 5 : digitsOf(values, size);
    const text = (value) => (value === 0 ? '0' : long ? Number(value.toPrecision(digits)).toExponential().replace('e+', 'e') : plain(value, digits));
    return { texts: values.map((value) => text(value / factor)), unit: prefix + (unit ?? '') };
}

/** "1 event" and "2 events". */
export const counted = (count, thing) => `${count} ${thing}${count === 1 ? '' : 's'}`;

/** A value that the language reads back as the same number: "0.005 [H]". */
export function written(value, unit) {
    return unit ? `${value} [${unit}]` : String(value);
}
