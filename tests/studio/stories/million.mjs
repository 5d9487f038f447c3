// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// A million points, shown and panned, with every peak in the picture; several runs on top of each other; x–y; the run stopped half way.
import { writeFileSync } from 'node:fs';
import { equal, near, ok, showFiles, until } from '../expect.mjs';

const MODEL = `model Swing {
    C spring(1 [m/N], q = 1 [m]);
    I mass(1 [kg]);
    1 body;
    body -> spring;
    body -> mass;
    output x = spring.q, v = body.f;
    experiment long { stop 1000 [s]; record x, v every 1 [ms]; }
    experiment endless { stop 1e9 [s]; record x every 100 [s]; }
}
`;

export default async function million({ page, address, folder, picture }) {
    writeFileSync(`${folder}/swing.hbg`, MODEL);
    await page.goto(address);
    await showFiles(page);
    await page.getByRole('button', { name: 'swing.hbg' }).click();
    await page.getByRole('tab', { name: 'Run' }).click();
    await page.locator('.panel.run .experiment option[value=long]').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.panel.run[data-state=finished]').waitFor();
    equal(await page.evaluate(() => window.studio.runPanel.runs[0].count), 1000001, 'all rows are there');
    await picture('all');
    const rate = await page.evaluate(async () => {
        const { plots } = window.studio.runPanel;
        const frame = () => new Promise((resolve) => { requestAnimationFrame(resolve); });
        const frames = 60, began = performance.now();
        for (let i = 0; i < frames; i++) { plots.look(i, 800 + i); await frame(); }
        return frames / (performance.now() - began) * 1000;
    });
    console.log(`panned 800 000 points, two curves, at ${rate.toFixed(0)} frames/s`);
    ok(rate > 5, 'it can be panned'); // the bar of 30 is in make bench: here others compute, too
    await page.evaluate(() => window.studio.runPanel.plots.look(500, 510));
    near(await page.evaluate(() => window.studio.runPanel.runs[0].valueAt('x', 500)), Math.cos(500), 1e-3, 'x = cos t');
    await picture('part');
    await page.getByLabel('Horizontal axis').first().selectOption('x');
    await page.locator('canvas.xy').waitFor();
    await picture('xy');
    await page.getByLabel('Horizontal axis').first().selectOption('time');
    await page.locator('.panel.run .experiment').selectOption('endless');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await until(page, 'rows come while it runs', () => window.studio.runPanel.runs.at(-1).count > 100);
    equal(await page.locator('.panel.run').getAttribute('data-state'), 'running', 'it still runs');
    await page.getByRole('button', { name: 'Stop' }).first().click();
    await page.locator('.panel.run[data-state=interrupted]').waitFor();
}
