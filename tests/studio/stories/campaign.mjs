// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// A campaign of a hundred faults: four parameters with 25 sizes each (a fifth is 0, and percent of it are nothing); the table has a row for each and one for the nominal run. The largest current
// through the coil is V/R·(1 − e^(−90 us R/L)) at the opening, whatever the fault.
import { equal, near } from '../expect.mjs';

export default async function campaign({ page, address, picture }) {
    await page.goto(address);
    await page.getByRole('tab', { name: 'Faults' }).click();
    await page.locator('.experiment option[value=opening]').first().waitFor({ state: 'attached' });
    await page.getByText('Campaign: a run for each of many faults').click();
    await page.getByLabel('Targets').fill('parameter');
    await page.getByLabel('Sizes').fill(Array.from({ length: 25 }, (_, i) => `${-48 + 4 * i + (i >= 12 ? 4 : 0)} [%]`).join(', '));
    await page.locator('.campaign .note', { hasText: '100 faults' }).waitFor();
    await page.getByRole('button', { name: 'Run the campaign' }).click();
    await page.locator('.campaign-results[data-state=finished]').waitFor();
    equal(await page.locator('.results tbody tr').count(), 101, 'a row for each fault, and the nominal one');
    const most = async (row) => Number(await page.locator('.results tbody tr').nth(row).locator('td').nth(2).textContent());
    near(await most(0), (10 / 330) * (1 - Math.exp((-90e-6 * 330) / 5e-3)), 1e-6, 'nominal');
    near(await most(28), (10 / (330 * 0.6)) * (1 - Math.exp((-90e-6 * 330 * 0.6) / 5e-3)), 1e-6, 'R1 less by 40 %');
    await page.getByRole('button', { name: 'i_coil max' }).click();
    await picture('campaign');
    await page.locator('.results tbody tr').first().locator('button').click();
    await page.locator('.panel.faults[data-state=finished]').waitFor();
}
