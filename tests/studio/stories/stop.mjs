// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// What takes long ends when it is told to: a proof of many seconds, its picture, and a run of a thousand million rows. Each says so, and the next question is answered; what there is of the run can be saved.
import { readFileSync } from 'node:fs';
import { equal, near, ok, showFiles, until } from '../expect.mjs';

export default async function stop({ page, address }) {
    await page.goto(address);
    await showFiles(page);
    await page.getByRole('button', { name: 'three-phase-inverter.hbg' }).click();
    await page.locator('.counts', { hasText: /problems|warning/ }).waitFor();
    await page.getByRole('tab', { name: 'Proofs' }).click();
    await page.getByRole('button', { name: 'Prove', exact: true }).click();
    await page.locator('.verdict', { hasText: 'group 1 of' }).waitFor();
    const began = Date.now();
    await page.locator('.panel.proofs > .bar').getByRole('button', { name: 'Stop' }).click();
    await until(page, 'the end of the proof', () => document.querySelector('.panel.proofs').dataset.state !== 'running');
    equal(await page.locator('.panel.proofs').getAttribute('data-state'), 'not decided', 'what is not decided stays so');
    ok((await page.locator('.group').last().textContent()).includes('it was interrupted'), 'and says why');
    console.log(`stop: the proof ended ${Date.now() - began} ms after it was told to`);

    await page.getByText('Phase space of the switching').click();
    await page.getByRole('button', { name: 'Draw' }).click();
    await page.locator('.phase').getByRole('button', { name: 'Stop' }).click();
    await until(page, 'the end of the picture', () => !document.querySelector('.phase button').disabled);

    await page.getByRole('button', { name: 'diode-inductor.hbg' }).click();
    await page.getByRole('tab', { name: 'Run' }).click();
    await page.getByText('Solver and times').click();
    await page.getByLabel('Stop', { exact: true }).fill('1000 [s]');
    await page.getByLabel('Row every').fill('1 [us]');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await until(page, 'rows', () => window.studio.runPanel.runs[0]?.count > 1000);
    await page.locator('.panel.run > .bar').getByRole('button', { name: 'Stop', exact: true }).click();
    await page.locator('.panel.run[data-state=interrupted]').waitFor();

    // what is saved of it is what was run, not the whole
    const coming = page.waitForEvent('download'), rows = await page.evaluate(() => window.studio.runPanel.runs[0].count);
    await page.getByLabel('Save the last run as').selectOption('csv');
    const saved = readFileSync(await (await coming).path(), 'utf8').trim().split('\n').filter((line) => /^[-0-9]/.test(line));
    near(saved.length, rows, 1, 'rows of the file');
    await page.getByRole('tab', { name: 'Diagram' }).click();
    await page.locator('.diagram-paper g.node').first().waitFor();
}
