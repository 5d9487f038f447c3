// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Experiment 1 of ADAPT: the bulb loses 30 % of its resistance at 3 (of its pace), found and broken in the fault panel. While the bulb alone is on, from the
// fault at 3 to 5, the current of the inverter is that of the bulb, so its peak is 1/0.7 of the nominal one.
import { equal, near, ok, showFiles, until } from '../expect.mjs';

export default async function faults({ page, context, address, picture }) {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(address);
    await showFiles(page);
    await page.getByRole('button', { name: 'adapt-experiment-1.hbg' }).click();
    await page.getByRole('tab', { name: 'Faults' }).click();
    for (const name of ['Add', 'Copy the line', 'Write into the experiment']) ok(await page.getByRole('button', { name, exact: true }).isDisabled(), `${name}: nothing is chosen yet`);
    await page.getByLabel('Find what can fail').fill('bulb.res');
    await page.getByRole('button', { name: 'bulb.resistance', exact: true }).click();
    await page.getByLabel('Size', { exact: true }).fill('-30 [%]');
    await page.getByLabel('Begin', { exact: true }).fill('3*pace');
    ok((await page.locator('.fault-line').textContent()) === 'fault at 3*pace: bulb.resistance abrupt -30 [%];', 'the fault is a line of the language');
    await page.getByRole('button', { name: 'Copy the line' }).click();
    await page.locator('.message', { hasText: 'Copied.' }).waitFor();
    equal(await page.evaluate(() => navigator.clipboard.readText()), 'fault at 3*pace: bulb.resistance abrupt -30 [%];', 'what is copied');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    equal(await page.locator('.fault-list code').textContent(), 'fault at 3*pace: bulb.resistance abrupt -30 [%];', 'so is every fault of the run');
    await page.getByRole('button', { name: 'Run nominal and faulty' }).click();
    await page.locator('.panel.faults[data-state=finished]').waitFor();
    await page.locator('.comparison .uplot').first().waitFor();
    for (const name of ['v_battery', 'v_inverter']) await page.locator('.comparison .curves label', { hasText: name }).locator('input').uncheck();
    await picture('adapt');
    await page.evaluate(() => window.studio.faultPanel.compared.look(3 * 2.4e-3, 5 * 2.4e-3));
    await until(page, 'the ratio', () => document.querySelector('.peaks tr[data-name=i_inverter] .ratio')?.textContent.startsWith('× 1.4'));
    const ratio = await page.locator('.peaks tr[data-name=i_inverter] .ratio').textContent();
    near(Number(ratio.slice(2)), 1 / 0.7, 0.02, 'the peak of the current rises as the resistance falls');
    const ends = () => page.evaluate(() => window.studio.faultPanel.compared.plots.slice(0, 2).map(({ plots: [{ plot: { scales: { y } } }] }) => [y.min, y.max]));
    await until(page, 'the scale is that of what is seen', () => window.studio.faultPanel.compared.plots.slice(0, 2).every(({ plots: [{ plot: { scales: { y } } }] }) => y.max < 4)); // 7 A come later
    equal((await ends())[0].join(), (await ends())[1].join(), 'nominal and faulty have one scale');
    await page.getByRole('button', { name: 'Write into the experiment' }).click();
    const text = await page.evaluate(() => window.studio.text());
    ok(/experiment nominal [^}]*fault at 3\*pace: bulb\.resistance abrupt -30 \[%\];/.test(text), 'the line is in the experiment');
    await page.evaluate(() => window.scrollTo(0, 0));
    await picture('adapt-zoomed');
}
