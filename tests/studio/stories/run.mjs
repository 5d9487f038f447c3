// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Opens the diode and the inductor, runs, clicks the mythical mode at 100 us, and reads its pulse: the flux of the coil then, which is
// V/R·L·(1 − e^(−t R/L)) after 90 us, with the sign of what stops it.
import { equal, near, ok, until } from '../expect.mjs';

export default async function run({ page, address, picture }) {
    await page.goto(address);
    await page.getByRole('tab', { name: 'Run' }).click();
    await page.locator('.panel.run .experiment option[value=opening]').waitFor({ state: 'attached' });
    ok(await page.getByText('Run (Ctrl+Enter) draws the curves of the experiment here').isVisible(), 'before the first run it says what to do');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.panel.run[data-state=finished]').waitFor();
    await page.locator('.uplot').first().waitFor();
    equal(await page.locator('.uplot').count(), 3, 'a plot for each unit: A, V, Wb');
    await until(page, 'units with the prefix of the axis', () => [...document.querySelectorAll('.panel.run .legend .unit')].map(({ textContent }) => textContent).join() === 'mA,V,µWb');
    const times = await page.evaluate(() => window.studio.runPanel.runs[0].events.map(({ t }) => t));
    equal(times.length, 4, 'start, closing, opening, the end of the current');
    await page.locator('.ledger').waitFor();
    const energy = await page.locator('.ledger').textContent();
    for (const part of ['supply', 'series', 'drop']) ok(energy.includes(part), `the energy of ${part} is in the balance: ${energy}`);
    await until(page, 'events lie under the plots', () => { const { over } = window.studio.runPanel.plots.plots[0].plot; return window.studio.runPanel.strips.area.join() === [over.offsetLeft, over.clientWidth].join() && over.clientWidth > 300; });
    await picture('run');
    // the triangle of the mythical mode, where the axis of time has 100 us of 600
    const [left, width] = await page.evaluate(() => window.studio.runPanel.strips.area), line = await page.locator('canvas.strips').boundingBox();
    await page.mouse.click(line.x + left + width / 6, line.y + 10);
    await page.getByRole('button', { name: '1 mythical' }).waitFor();
    const flux = (10 / 330) * 5e-3 * (1 - Math.exp((-90e-6 * 330) / 5e-3));
    const pulse = await page.evaluate(() => window.studio.runPanel.runs[0].events[2].modes[0].impulses.coil.e);
    near(pulse, -flux, 1e-5 * flux, 'the pulse takes the flux of the coil');
    ok((await page.locator('.explanation .words').textContent()).includes('mythical: left again before anything happens'), 'the event is explained in words');
    await page.locator('.explanation .paper svg').waitFor();
    equal(await page.locator('.explanation g.link.pulse[data-bond="node>coil"] .pulse-label').textContent(), `∫e -${(1e6 * flux).toFixed(0)} µWb`, 'the pulse is on its bond');
    equal(await page.locator('.explanation tr', { hasText: 'coil.p' }).locator('td').textContent(), `${(1e6 * flux).toFixed(2)} µWb → 0 Wb`, 'what would jump has its unit');
    await picture('event');

    // played: the diagram follows the modes of the run, and what is recorded is that of the moment
    const off = () => page.locator('.moment g.node[data-path=j_sw] circle.off').count();
    await page.getByLabel('Moment of the run').fill('100'); // 60 us: the switch is closed
    await page.locator('.playback[data-mode*="manual=closed"]').waitFor();
    equal(await off(), 0, 'the switch is on');
    const current = (10 / 330) * (1 - Math.exp((-50e-6 * 330) / 5e-3)), told = await page.locator('.moment tr', { hasText: 'i_coil' }).locator('td').textContent();
    near(Number(told.split(' ')[0]) * 1e-3, current, 2e-3 * current, `the current then: ${told}`);
    await picture('moment');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.locator('.playback[data-mode*="diode=conducting"]').waitFor();
    equal(await off(), 1, 'the switch is off');
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
}
