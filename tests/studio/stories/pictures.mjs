// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The pictures of docs/studio.md: tools/studio_pictures.sh takes them.
import { showFiles, until } from '../expect.mjs';

export default async function pictures({ page, address, picture }) {
    const open = async (name) => {
        await showFiles(page);
        await page.getByRole('button', { name }).click();
        await page.locator('.counts', { hasText: 'no problems' }).waitFor();
        await page.evaluate(() => document.body.classList.add('no-files'));
    };
    const tab = (name) => page.getByRole('tab', { name }).click();
    await page.setViewportSize({ width: 1440, height: 860 });
    await page.goto(address);
    await open('diode-inductor.hbg');
    await page.locator('.panel.diagram svg').waitFor();
    await picture('diagram');
    await tab('Run');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.panel.run[data-state=finished]').waitFor();
    await page.getByRole('separator', { name: 'Width of the text' }).focus();
    for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowLeft'); // room for the explanation beside the plots
    await page.evaluate(() => window.studio.runPanel.strips.pick(2));
    await page.locator('.explanation svg').waitFor();
    await page.evaluate(() => document.activeElement.blur());
    await page.waitForTimeout(300);
    await picture('run');
    await open('adapt-experiment-1.hbg');
    await tab('Faults');
    await page.getByLabel('Find what can fail').fill('bulb.res');
    await page.getByRole('button', { name: 'bulb.resistance', exact: true }).click();
    await page.getByLabel('Begin', { exact: true }).fill('3*pace');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Run nominal and faulty' }).click();
    await page.locator('.panel.faults[data-state=finished]').waitFor();
    for (const name of ['v_battery', 'v_inverter']) await page.locator('.comparison .curves label', { hasText: name }).locator('input').uncheck();
    await page.evaluate(() => window.studio.faultPanel.compared.look(3 * 2.4e-3, 4.87 * 2.4e-3));
    await until(page, 'peaks', () => document.querySelector('.peaks tr[data-name=i_inverter] .ratio'));
    await page.locator('.comparison').evaluate((element) => element.scrollIntoView());
    await page.waitForTimeout(300);
    await picture('faults');
    await open('ball-printed-guards.hbg');
    await tab('Proofs');
    await page.getByRole('button', { name: 'Prove', exact: true }).click();
    await page.locator('.panel.proofs[data-state=violated]').waitFor();
    await picture('proofs');
}
