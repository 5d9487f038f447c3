// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The ball of 000: the printed guards are proved wrong, with values and a way to mend them, which is taken and proved; the witness is run; then the guard is broken
// again by undo.
import { equal, ok, showFiles, until } from '../expect.mjs';

export default async function proofs({ page, address, picture }) {
    await page.goto(address);
    await showFiles(page);
    await page.getByRole('button', { name: 'ball-printed-guards.hbg' }).click();
    await page.getByRole('tab', { name: 'Proofs' }).click();
    await page.locator('.counts', { hasText: 'no problems' }).waitFor();
    await page.getByRole('button', { name: 'Prove', exact: true }).click();
    await page.locator('.panel.proofs[data-state=violated]').waitFor();
    ok((await page.locator('.finding').first().textContent()).includes('x <= 0, mass.p > 0'), 'the region of the flaw');
    await picture('violated');

    // the witness: the ball at the floor, moving upwards, is in no mode
    await page.getByRole('button', { name: 'Run from there' }).first().click();
    await until(page, 'the end of the run', () => ['finished', 'not finished', 'failed'].includes(document.querySelector('.panel.run').dataset.state));
    equal(await page.locator('.panel.run').getAttribute('data-state'), 'not finished', 'a run from there does not get on');
    ok((await page.evaluate(() => window.studio.runPanel.runs.at(-1).result.reason)).includes('divergence'), 'its verdict');

    // mended until nothing is left to mend
    await page.getByRole('tab', { name: 'Proofs' }).click();
    for (let i = 0; i < 4 && (await page.locator('.repair .primary').count()) > 0; i++) {
        const before = await page.evaluate(() => window.studio.text());
        await page.locator('.repair .primary').first().click();
        await until(page, 'another text', (old) => window.studio.text() !== old, before);
        await until(page, 'the proof', () => document.querySelector('.panel.proofs').dataset.state !== 'running');
    }
    const mended = await page.evaluate(() => window.studio.text());
    ok(mended.includes('pre(mass.p) <= 0'), 'the condition is in the text');
    await picture('mended');
    equal(await page.locator('.group .finding.wrong', { hasText: 'x <= 0, mass.p > 0' }).count(), 0, 'that flaw is gone');

    // the phase space
    await page.getByText('Phase space of the switching').click();
    await page.getByRole('button', { name: 'Draw' }).click();
    await page.locator('.phase .paper svg').waitFor();
    await page.locator('.phase div.paper').scrollIntoViewIfNeeded();
    await picture('phase');
    const [across, upwards] = await page.locator('.phase select').evaluateAll((selects) => selects.map(({ value }) => value));
    const drawn = await page.locator('.phase .paper svg').innerHTML();
    await page.locator('.phase').getByLabel('Horizontal axis').selectOption(upwards);
    await page.locator('.phase').getByLabel('Vertical axis').selectOption(across);
    await page.getByRole('button', { name: 'Draw' }).click();
    await until(page, 'a picture over the other axes', (old) => document.querySelector('.phase .paper svg')?.innerHTML !== old, drawn);

    // causality over all modes
    await page.getByText('Causality over all modes').click();
    await page.getByRole('button', { name: 'Decide' }).click();
    await page.getByText('every mode that can exist has a valid assignment').waitFor();

    // broken again: undo is the editor's
    await page.locator('.cm-content').focus();
    for (let i = 0; i < 6; i++) await page.keyboard.press('Control+z');
    ok(!(await page.evaluate(() => window.studio.text())).includes('&& pre(mass.p) <= 0'), 'undone');
    await page.locator('.groups.old').waitFor();
    await page.getByRole('button', { name: 'Prove', exact: true }).click();
    await page.locator('.panel.proofs[data-state=violated]').waitFor();
    equal(await page.locator('.groups.old').count(), 0, 'it is that of the text');
}
