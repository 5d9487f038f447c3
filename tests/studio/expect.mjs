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

/** Asks the page again and again: Playwright's own way of waiting evaluates strings, which the page's policy forbids. */
export async function until(page, what, question, argument) {
    for (let i = 0; i < 400; i++) {
        if (await page.evaluate(question, argument)) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`it does not come to this: ${what}`);
}

/** Shows the list of files, once the page has opened its first one and decided whether there is room for the list. */
export async function showFiles(page) {
    await until(page, 'a file is open', () => window.studio?.path);
    await page.evaluate(() => document.body.classList.remove('no-files'));
}
