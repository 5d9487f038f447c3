// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Exports: C sources, an FMU of sources, a hybrid automaton and an image into the folder; what cannot be exported is refused with its reason.
import { existsSync } from 'node:fs';
import { ok } from '../expect.mjs';

export default async function exports({ page, address, folder, picture }) {
    await page.goto(address);
    await page.getByRole('tab', { name: 'Export' }).click();
    await page.locator('.panel.export .experiment option[value=opening]').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.locator('.panel.export[data-state=finished]').waitFor();
    ok(existsSync(`${folder}/diode-inductor-c/main.c`), 'the sources are there');
    await page.getByLabel('FMU').check();
    await page.getByLabel('sources only').check();
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.locator('.panel.export[data-state=finished]').waitFor();
    ok(existsSync(`${folder}/diode-inductor.fmu`), 'the FMU is there');
    await picture('export');
    for (const [label, file] of [['Hybrid automaton', 'diode-inductor.xml'], ['Image', 'diode-inductor.hbi']]) {
        await page.getByLabel(label, { exact: true }).check();
        await page.getByRole('button', { name: 'Export', exact: true }).click();
        await page.locator('.panel.export[data-state=finished]').waitFor();
        ok(existsSync(`${folder}/${file}`), `${label} is there`);
    }
    await page.getByLabel('Block diagram', { exact: true }).check();
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.locator('.panel.export[data-state=failed]').waitFor();
    ok((await page.locator('.panel.export .words').textContent()).length > 20, 'why not');
}
