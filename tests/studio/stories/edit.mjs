// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Every gesture on the diagram of the diode and the inductor, with mouse and with keys: move, value, name, direction, wrap, open, delete, connect. Each is an edit
// of the text that leaves a model without errors, and that undo takes back.
import { equal, ok, until } from '../expect.mjs';

const group = (page, path) => page.locator(`.diagram-paper g[data-path="${path}"]`);
const text = (page) => page.evaluate(() => window.studio.text());

/** Waits for a text that has these words, and for its drawing. */
async function becomes(page, words) {
    await until(page, `the text has ${words}`, (wanted) => window.studio.text().includes(wanted), words);
    await until(page, 'it is checked', () => window.studio.checked === window.studio.text() && window.studio.diagnostics.every(({ severity }) => severity !== 'error'));
    await until(page, 'it is drawn', () => window.studio.diagramPanel.drawn === window.studio.text());
}

async function undone(page, before) {
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+z');
    await until(page, 'undo takes it back', (old) => window.studio.text() === old, before);
    await until(page, 'it is drawn', () => window.studio.diagramPanel.drawn === window.studio.text());
}

async function fillIn(page, label, value) {
    const field = page.locator('.pop').getByLabel(label);
    await field.fill(value);
    await field.press('Enter');
}

async function byMouse(page, picture) {
    const start = await text(page);
    // moved: it keeps its place, and the others theirs
    const box = await group(page, 'coil').boundingBox(), at = await group(page, 'coil').getAttribute('data-at'), node = await group(page, 'node').getAttribute('data-at');
    await page.mouse.move(box.x + box.width / 2, box.y + 8);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 30, box.y + 38, { steps: 4 });
    await page.mouse.move(box.x + box.width / 2 + 60, box.y + 68);
    await page.mouse.up();
    await becomes(page, 'I coil(L, p = 0 [Wb]) @ (');
    const [x, y] = at.split(',').map(Number), scale = await page.evaluate(() => window.studio.diagramPanel.view.scale);
    equal((await text(page)).match(/@ \(([^)]*)\)/)[1], `${Math.round(x + 60 / scale)}, ${Math.round(y + 60 / scale)}`, 'the place that is written');
    equal(await group(page, 'node').getAttribute('data-at'), node, 'the others stay');
    await picture('moved');
    await undone(page, start);

    // double click: the value, in place
    await group(page, 'series').dblclick();
    await fillIn(page, 'R series', '47 [Ohm]');
    await becomes(page, 'R series(47 [Ohm]);');
    await undone(page, start);

    // another name, wherever it is read
    await group(page, 'coil').click();
    await page.getByRole('button', { name: 'Name of the selection (F2)' }).click();
    await fillIn(page, 'Name', 'inductor');
    await becomes(page, 'I inductor(L, p');
    ok(!/\bcoil\b/.test((await text(page)).replace(/\/\/.*|"[^"]*"/g, '')), 'nothing is called coil any more');
    await undone(page, start);

    // two objects into a component of their own, which opens and closes
    await group(page, 'series').click();
    await group(page, 'coil').click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: 'Make a component of the selection (w)' }).click();
    await fillIn(page, 'Name of the component', 'Coil');
    await becomes(page, 'component Coil');
    const part = await page.evaluate(() => /^\s*Coil (\w+)/m.exec(window.studio.text())[1]);
    equal(await group(page, part).getAttribute('data-open'), 'false', 'it is closed');
    await picture('wrapped');
    await group(page, part).dblclick();
    await page.locator(`.diagram-paper g.component[data-path="${part}"][data-open=true]`).waitFor();
    ok((await page.locator(`.diagram-paper g.node[data-path^="${part}."]`).count()) >= 2, 'what is in it is seen');
    await picture('opened');
    await group(page, part).locator('rect').first().dblclick({ position: { x: 6, y: 6 } });
    await page.locator(`.diagram-paper g.component[data-path="${part}"][data-open=false]`).waitFor();
    await undone(page, start);
}

async function byKeys(page) {
    const start = await text(page);
    const focus = (selector) => page.evaluate((at) => document.querySelector(`.diagram-paper ${at}`).focus(), selector);
    await focus('g[data-bond="node>coil"]');
    await page.keyboard.press('r');
    await becomes(page, 'coil -> node');
    await undone(page, start);
    await focus('g[data-path=coil]');
    await page.keyboard.press('Alt+ArrowDown');
    await becomes(page, 'I coil(L, p = 0 [Wb]) @ (');
    await undone(page, start);
    // away with the bond, and back again from the keyboard
    await focus('g[data-bond="node>coil"]');
    await page.keyboard.press('Delete');
    await until(page, 'the bond is gone', () => !window.studio.text().includes('node -> coil'));
    await until(page, 'it is drawn', () => !document.querySelector('.diagram-paper g[data-bond="node>coil"]'));
    await focus('g[data-path=node]');
    await page.keyboard.press('c');
    await page.locator('.diagram-paper g.fits[data-path=coil]').waitFor();
    ok((await page.locator('.diagram-paper g.fits-not[data-path=supply]').count()) === 1, 'a source that has its bond does not light up');
    await focus('g[data-path=coil]');
    await page.keyboard.press('Enter');
    await becomes(page, 'node -> coil;');
    // a part and all its bonds
    const now = await text(page);
    await focus('g[data-path=coil]');
    await page.keyboard.press('Delete');
    await until(page, 'the coil is gone', () => !/I coil/.test(window.studio.text()) && !window.studio.text().includes('node -> coil'));
    await undone(page, now);
}

export default async function edit({ page, address, picture }) {
    await page.goto(address);
    await group(page, 'coil').waitFor();
    await page.locator('.panel.diagram[data-valid=true]').waitFor();
    await byMouse(page, picture);
    await byKeys(page);
}
