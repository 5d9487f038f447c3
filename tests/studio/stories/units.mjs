// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// A row of three cells between 80 and 20 degC: an array, a loop, a parameter left open, values in the units they are written in. Through a film of 0.2 K/W and three
// times R0 = 0.5 K/W flow 60 K/1.7 K/W, so that the first cell comes to 80 - 0.2·60/1.7 = 72.941 degC, the last to 20 + 0.5·60/1.7 = 37.647 degC.
// The run is saved in every format.
import { readFileSync, writeFileSync } from 'node:fs';
import { equal, near, ok, showFiles, until } from '../expect.mjs';

const text = `component Cell(R0 = 1 [K/W]) {
    port p : thermal;
    port k : thermal;
    C c(10 [J/K], e = 300 [K]);
    R r(R0);
    0 n;
    1 l;
    p -> n -> c;
    n -> l -> k;
    l -> r;
}
model Oven "A row of cells" {
    param N = 3, speed = 3000 [rpm], T_in = 80 [degC];
    param R0 in 0.5 .. 2 [K/W];
    Se inlet(T_in);
    Se cold(20 [degC]);
    Cell cell[N](R0 = R0);
    R film(0.2 [K/W]);
    1 entry;
    0 last;
    inlet -> entry -> cell[1].p;
    entry -> film;
    for i in 1 .. N - 1 {
        cell[i].k -> cell[i + 1].p;
    }
    cell[N].k -> last;
    cold -> last;
    output T1 = cell[1].n.e in [degC], T3 = cell[N].n.e in [degC], w = speed in [rpm];
    experiment warm {
        stop 400 [s];
        record T1, T3, w;
    }
}
`;
const STARTS = { csv: 'time', h5: '\x89HDF', mat: 'MATLAB', svg: '<?xml', png: '\x89PNG' };

export default async function units({ page, address, folder, picture }) {
    writeFileSync(`${folder}/oven.hbg`, text);
    await page.goto(address);
    await showFiles(page);
    await page.getByRole('button', { name: 'oven.hbg' }).click();
    await page.locator('.counts', { hasText: 'no problems' }).waitFor();
    await page.locator('.diagram-paper g.component[data-path="cell[2]"]').waitFor();
    await picture('diagram');
    await page.getByRole('tab', { name: 'Run' }).click();
    await page.getByText('Parameters', { exact: true }).click();
    equal(await page.getByLabel('T_in in degC').inputValue(), '80', 'a parameter in the unit it is written in');
    equal(await page.getByLabel('speed in rpm').inputValue(), '3000', 'also where that is no prefix');
    await page.getByText('Parameters', { exact: true }).click();
    await page.getByText('Solver and times').click();
    await page.getByLabel('Choose').fill('R0=0.5');
    await page.getByText('Solver and times').click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.panel.run[data-state=finished]').waitFor();
    await until(page, 'the curves', () => document.querySelectorAll('.panel.run .uplot').length === 2);
    equal((await page.locator('.panel.run .legend .unit').allTextContents()).join(), 'degC,rpm', 'plots by the units that the model names');
    const last = (name) => page.evaluate((column) => { const run = window.studio.runPanel.runs[0]; return run.column(column)[run.count - 1]; }, name);
    near(await last('T1'), 80 - (0.2 * 60) / 1.7, 1e-3, 'the first cell');
    near(await last('T3'), 20 + (0.5 * 60) / 1.7, 1e-3, 'the last one');
    ok((await page.locator('.chosen tr', { hasText: 'R0' }).textContent()).includes('0.5 .. 2'), 'what was left open is told');
    await picture('run');
    for (const [format, begin] of Object.entries(STARTS)) {
        const coming = page.waitForEvent('download');
        await page.getByLabel('Save the last run as').selectOption(format);
        const file = await coming, bytes = readFileSync(await file.path());
        equal(file.suggestedFilename(), `oven-warm.${format}`, 'the name of the file');
        ok(bytes.toString('latin1').replace(/^(#[^\n]*\n)+/, '').startsWith(begin), `${format} begins with ${begin}: ${bytes.toString('latin1', 0, 60)}`);
        if (format !== 'csv') continue;
        const rows = bytes.toString().trim().split('\n');
        near(Number(rows.at(-1).split(',')[1]), 80 - (0.2 * 60) / 1.7, 1e-3, 'the saved run is the one that was shown');
    }
}
