// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// What a story expects.
export function ok(condition, what) {
    if (!condition) throw new Error(`not so: ${what}`);
}

export function equal(is, expected, what) {
    if (is !== expected) throw new Error(`${what}: ${JSON.stringify(is)} instead of ${JSON.stringify(expected)}`);
}

export function near(is, expected, band, what) {
    if (!(Math.abs(is - expected) <= band)) throw new Error(`${what}: ${is} instead of ${expected} ± ${band}`);
}
