// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Plots of two runs on top of each other: the cursor with the values of both, zoom by mouse and keys, logarithmic axes with the events at their times, curves over another
// curve. The coil has a current of V/R·(1 − e^(−50 us R/L)) 50 us after the switch closes at 10 us.
import { equal, near, ok, until } from '../expect.mjs';

const view = (page) => page.evaluate(() => window.studio.runPanel.plots.view);
const settled = (page) => page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));

/** Where a time is on the first plot, in pixels of the window. */
async function placeOf(page, t) {
    const box = await page.locator('.u-over').first().boundingBox();
    return { x: box.x + await page.evaluate((at) => window.studio.runPanel.plots.plots[0].plot.valToPos(at, 'x'), t), y: box.y + 20 };
}

/** The colours on a canvas in the column of pixels at a time, as `r,g,b`. */
const coloursAt = (page, t) => page.evaluate((at) => {
    const { strips } = window.studio.runPanel, { canvas, area, view: [from, to], scale } = strips;
    const x = area[0] + (scale.of(at) - scale.of(from)) / (scale.of(to) - scale.of(from)) * area[1], data = canvas.getContext('2d').getImageData(Math.round(x * devicePixelRatio), 10 * devicePixelRatio, 1, 1).data;
    return [...data].slice(0, 3).join();
}, t);

export default async function plots({ page, address, picture }) {
    await page.goto(address);
    await page.locator('.counts', { hasText: 'no problems' }).waitFor();
    const before = await page.evaluate(() => window.studio.text());
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+Enter'); // from the text: shows the runs, and leaves the text alone
    await page.locator('.panel.run[data-state=finished]').waitFor();
    equal(await page.evaluate(() => window.studio.text()), before, 'the key runs, and writes nothing');
    await page.getByText('Parameters', { exact: true }).click();
    const slider = page.getByLabel('R1, from a tenth to ten times'), value = page.getByLabel('R1 in Ohm', { exact: true });
    await slider.press('Home');
    equal(await value.inputValue(), '33', 'the slider goes down to a tenth');
    equal(await slider.evaluate((element) => getComputedStyle(element).outlineStyle), 'solid', 'what has the keys is seen');
    await value.fill('100');
    equal(await slider.inputValue(), '-0.52', 'and follows the field: log10(100/330)');
    await page.getByText('Parameters', { exact: true }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await until(page, 'two runs', () => window.studio.runPanel.runs.length === 2 && window.studio.runPanel.runs[1].state === 'finished');
    await settled(page);
    ok((await page.locator('.panel.run .state').first().textContent()).includes('erk'), 'the solver is told');
    const dashes = await page.evaluate(() => window.studio.runPanel.plots.plots[0].series.map(({ dash }) => dash?.join() ?? 'solid'));
    equal(dashes.join(' '), '7,4 solid', 'one curve each, of which the later one is solid');
    ok((await page.locator('.u-over').last().boundingBox()).y < 720 - 60, 'the plots are seen at once');

    // the cursor, with a value of each run
    const at = await placeOf(page, 60e-6);
    await page.mouse.move(at.x, at.y);
    await until(page, 'values', () => document.querySelectorAll('.graphs figure:first-child .curve b').length === 2);
    const told = await page.locator('.graphs figure:first-child .curve b').allTextContents();
    [330, 100].forEach((R, i) => near(Number(told[i].trim().split(' ')[0]), 1e3 * (10 / R) * (1 - Math.exp((-50e-6 * R) / 5e-3)), 0.8, `the current with ${R} Ohm, in mA, within a pixel of time: ${told[i]}`));

    // nearer by mouse, farther by keys
    const [from, to] = [await placeOf(page, 50e-6), await placeOf(page, 150e-6)];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 3 });
    await page.mouse.up();
    await settled(page);
    near((await view(page))[0], 50e-6, 2e-6, 'from where it was dragged');
    near((await view(page))[1], 150e-6, 2e-6, 'to where it was dragged');
    await page.locator('.plot').first().focus();
    await page.keyboard.press('Home');
    equal((await view(page)).join(), '0,0.0006', 'all of it');

    // logarithmic axes: time from the first row that is not at 0; events stay at their times
    await page.getByLabel('log x').check();
    await settled(page);
    ok((await view(page))[0] > 0 && (await view(page))[1] === 6e-4, `the view ${await view(page)}`);
    await page.keyboard.press('Tab');
    await page.locator('.plot').first().focus();
    for (let i = 0; i < 6; i++) await page.keyboard.press('+');
    await page.keyboard.press('ArrowRight');
    await settled(page);
    const [low, high] = await view(page);
    ok(low > 0 && high > low, `nearer: ${low}, ${high}`);
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.evaluate(() => window.studio.runPanel.plots.look(1e-6, 6e-4));
    await settled(page);
    const [none, event] = [await coloursAt(page, 30e-6), await coloursAt(page, 100e-6)];
    ok(none !== event, `the event of 100 us is drawn at 100 us: ${none}, ${event}`);
    await page.getByLabel('log y').check();
    await settled(page);
    await picture('log');

    // over another curve, on the same axes
    await page.getByLabel('Horizontal axis').first().selectOption('i_coil');
    await page.locator('canvas.xy').waitFor();
    await picture('xy-log');
    await page.getByLabel('log x').uncheck();
    await page.getByLabel('log y').uncheck();
    await picture('xy');
    const inked = await page.evaluate(() => {
        const canvas = document.querySelector('canvas.xy'), { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        return new Set(Array.from({ length: data.length / 4 }, (_, i) => data.slice(4 * i, 4 * i + 4).join())).size;
    });
    ok(inked > 20, 'curves are drawn');

    // another solver, and tolerances: what they are called is what the run says
    await page.getByLabel('Horizontal axis').first().selectOption('time');
    await page.getByText('Solver and times').click();
    await page.locator('.panel.run [name=solver]').selectOption('rk4');
    await page.locator('.panel.run [name=step]').fill('1 [us]');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await until(page, 'a run by rk4', () => window.studio.runPanel.runs.at(-1).result?.report?.solver.name === 'rk4');
    await page.locator('.panel.run [name=solver]').selectOption('bdf');
    await page.locator('.panel.run [name=step]').fill('');
    const rows = async (tolerance) => {
        await page.locator('.panel.run [name=rtol]').fill(tolerance);
        const before = await page.evaluate(() => window.studio.runPanel.runs.at(-1).job);
        await page.getByRole('button', { name: 'Run', exact: true }).click();
        await until(page, 'a run by bdf', (old) => { const run = window.studio.runPanel.runs.at(-1); return run.job !== old && run.result?.report?.solver.name.startsWith('bdf'); }, before);
        return page.evaluate(() => window.studio.runPanel.runs.at(-1).count);
    };
    const [coarse, fine] = [await rows('1e-3'), await rows('1e-9')];
    ok((await page.locator('.runs .latest').textContent()).includes('R1=100 [Ohm], bdf, rtol 1e-9'), 'a run is called by what is its own');
    ok(fine > 1.5 * coarse, `a tighter tolerance takes more steps: ${coarse}, ${fine}`);
}
