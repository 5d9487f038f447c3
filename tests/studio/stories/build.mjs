// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds the diode and the inductor from an empty file with the mouse: parts out of the palette, bonds pulled from part to part.
// What comes out is a model without errors whose diode and switch can be tried, and whose objects are where they were dropped.
import { equal, ok, until } from '../expect.mjs';

/** What the text calls the last part of a kind. */
const nameOf = (page, kind) => page.evaluate((word) => [...window.studio.text().matchAll(new RegExp(`^\\s*${word} (\\w+)`, 'gm'))].at(-1)?.[1], kind);

async function drop(page, piece, x, y) {
    await page.getByRole('searchbox', { name: 'Find a part' }).fill(piece);
    const before = (await page.locator('.panel.diagram').getAttribute('data-drawn')) ?? '0';
    await page.locator(`.piece[data-piece="${piece}"]`).dragTo(page.locator('.diagram-paper'), { targetPosition: { x, y } });
    await until(page, 'the page follows', (word) => new RegExp(`^\\s*${word} \\w+`, 'm').test(window.studio.text()), piece);
    await until(page, 'the page follows', (count) => Number(document.querySelector('.panel.diagram').dataset.drawn ?? 0) > Number(count), before);
    return nameOf(page, piece);
}

const group = (page, path) => page.locator(`.diagram-paper g[data-path="${path}"]`);

async function connect(page, from, to, ends) {
    await group(page, from).hover();
    await page.locator(`.diagram-paper .handle[data-of="${from}"]`).waitFor();
    const handle = await page.locator('.diagram-paper .handle').boundingBox(), target = await group(page, to).boundingBox();
    const text = await page.evaluate(() => window.studio.text());
    await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
    await page.mouse.down();
    await page.mouse.move(target.x + target.width / 2, target.y + target.height / 2, { steps: 4 });
    ok((await page.locator('.diagram-paper .fits').count()) > 0, 'what fits lights up');
    await page.mouse.up();
    if (ends) await page.locator('.pop button', { hasText: ends }).click();
    await until(page, 'the page follows', (old) => window.studio.text() !== old, text);
    await until(page, 'the page follows', ([a, b]) => window.studio.checked === window.studio.text() && document.querySelector(`.diagram-paper g[data-path="${a}"]`) && document.querySelector(`.diagram-paper g[data-path="${b}"]`), [from, to]);
    await page.waitForTimeout(150);
}

export default async function build({ page, address, picture }) {
    await page.goto(address);
    await page.locator('.piece').first().waitFor();
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    // what a new file begins with goes first
    await group(page, 'source').click();
    await group(page, 'load').click({ modifiers: ['Shift'] });
    await group(page, 'loop').click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: 'Delete the selection (Delete)' }).click();
    await until(page, 'nothing is left', () => document.querySelectorAll('.diagram-paper g.node').length === 0);
    for (let i = 0; i < 3; i++) await page.getByRole('button', { name: 'Smaller (−)' }).click();
    const supply = await drop(page, 'VoltageSource', 150, 90);
    const breaker = await drop(page, 'Switch', 420, 70);
    const series = await drop(page, 'Resistor', 650, 90);
    const coil = await drop(page, 'Inductor', 800, 360);
    const diode = await drop(page, 'Diode', 480, 300);
    const ground = await drop(page, 'Ground', 120, 420);
    const node = await drop(page, '0', 760, 230);
    const earth = await drop(page, '0', 240, 260);
    await picture('parts');
    await connect(page, earth, supply, `${supply}.n`);
    await connect(page, breaker, supply, `${breaker}.a`); // pulled against the half arrow, which follows the ports
    ok((await page.evaluate(() => window.studio.text())).includes(`${supply}.p -> ${breaker}.a;`), 'power leaves the source');
    await connect(page, breaker, series, `${series}.a`);
    await connect(page, series, node);
    await connect(page, node, coil, `${coil}.a`);
    await connect(page, coil, earth);
    await connect(page, earth, diode, `${diode}.a`);
    await connect(page, diode, node);
    await connect(page, earth, ground);
    await until(page, 'the page follows', () => window.studio.diagnostics.every(({ message }) => !/bond|connect/.test(message)));
    await picture('bonds');
    const left = await page.evaluate(() => window.studio.diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message));
    ok(left.every((message) => message.includes('closed')), `nothing is missing but what closes the switch: ${left}`);
    ok(/@ \(-?\d+, -?\d+\)/.test(await page.evaluate(() => window.studio.text())), 'what was dropped keeps its place');
    // what closes the switch is written in place
    await group(page, breaker).click();
    equal(await page.locator('.diagram-paper .chosen').count(), 1, 'one is chosen');
    await page.getByRole('button', { name: 'Value or parameters of the selection (Enter)' }).click();
    await page.getByLabel('another argument').fill('closed = time > 10 [us] && time < 100 [us]');
    await page.locator('.pop button[type=submit]').click();
    await page.locator('.panel.diagram[data-valid=true]').waitFor();
    await until(page, 'the page follows', () => window.studio.checked === window.studio.text() && window.studio.diagnostics.every(({ severity }) => severity !== 'error'));
    equal(await page.evaluate(() => window.studio.list.bonds.length), 13, 'nine bonds pulled, and one each inside source, resistor, coil and diode');
    await page.locator(`[data-automaton="${breaker}.lever"][data-state=shut]`).click();
    await until(page, 'the page follows', (path) => document.querySelector(`.diagram-paper g[data-path="${path}"] rect.box`)?.classList.contains('changed'), breaker);
    await picture('done');

    // two sources that fight over the node are a conflict, and one of them gone is its repair
    const sources = [await drop(page, 'Se', 560, 180), await drop(page, 'Se', 900, 180)];
    for (const source of sources) await connect(page, source, node);
    await page.locator('.panel.diagram[data-valid=false]').waitFor();
    const conflicts = () => page.evaluate(() => [...document.querySelectorAll('.diagram-paper g.link')].filter((link) => link.querySelector('path.conflict')).map(({ dataset }) => dataset.bond).sort().join(' '));
    equal(await conflicts(), sources.map((source) => `${source}>${node}`).sort().join(' '), 'the bonds that contradict each other');
    ok((await page.locator('.key').textContent()).includes('contradict each other'), 'and it says what red means');
    await picture('conflict');
    for (const source of sources) {
        await group(page, source).click();
        await page.getByRole('button', { name: 'Delete the selection (Delete)' }).click();
        await until(page, 'it is gone', (path) => !document.querySelector(`.diagram-paper g[data-path="${path}"]`), source);
    }
    await page.locator('.panel.diagram[data-valid=true]').waitFor();
    equal(await conflicts(), '', 'the conflict is gone');

    // run it: when the switch opens, the diode takes over through a mythical mode, whose pulse is the flux of the coil then
    await page.getByRole('tab', { name: 'Run' }).click();
    await page.getByText('Solver and times').click();
    await page.getByLabel('Stop', { exact: true }).fill('600 [us]');
    await page.getByText('Solver and times').click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.panel.run[data-state=finished]').waitFor();
    await picture('run');
    const at = await page.evaluate(() => window.studio.runPanel.runs[0].events.findIndex(({ t, modes }) => Math.abs(t - 1e-4) < 1e-9 && modes.some(({ kind }) => kind === 'mythical')));
    ok(at >= 0, 'a mythical mode at 100 us');
    await until(page, 'events lie under the plots', () => window.studio.runPanel.strips.area[1] > 300);
    const [begin, width] = await page.evaluate(() => window.studio.runPanel.strips.area), line = await page.locator('canvas.strips').boundingBox();
    await page.mouse.click(line.x + begin + width / 6, line.y + 10);
    await page.locator('.explanation .paper svg').waitFor();
    await page.locator('.explanation .pulse-label').first().waitFor();
    await picture('event');
}
