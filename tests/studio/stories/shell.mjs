// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The frame: a model opened from the list, a problem made and mended in the text, saved with the keyboard; a file that somebody else changed meanwhile;
// a title that is a script stays a text.
import { readFileSync, writeFileSync } from 'node:fs';
import { equal, ok, showFiles, until } from '../expect.mjs';

export default async function shell({ page, address, folder, picture, errors }) {
    const path = `${folder}/scratch.hbg`;
    const evil = '<img src=x onerror=alert(1)><script>alert(2)</script>';
    page.on('dialog', (dialog) => errors.push(`a script of the model ran: ${dialog.message()}`));
    writeFileSync(path, `model Evil "${evil}" {\n    Se source(1 [V]);\n    R load(1 [Ohm]);\n    1 loop;\n    source -> loop -> load;\n    experiment first "${evil}" { stop 1 [s]; record loop.f; }\n}\n`);
    await page.goto(address);
    await page.locator('.cm-content').waitFor();
    await showFiles(page);
    await page.getByRole('button', { name: 'scratch.hbg' }).click();
    await page.locator('.path', { hasText: 'scratch.hbg' }).waitFor();
    await page.locator('.panel.diagram svg').waitFor();
    equal(await page.evaluate(() => window.studio.listed.doc), evil, 'the title is a text');
    equal(await page.locator('img[src="x"]').count(), 0, 'and becomes no element');
    await page.locator('.counts', { hasText: 'no problems' }).waitFor();

    // a mistake, as one types, and its place
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.type(' R lost(');
    await page.locator('.counts', { hasText: 'error' }).waitFor();
    ok(await page.locator('.problem-line').first().isVisible(), 'the problem is listed');
    await picture('problem');
    for (let i = 0; i < 8; i++) await page.keyboard.press('Backspace');
    await page.locator('.counts', { hasText: 'no problems' }).waitFor();

    // saved with the keyboard
    await page.keyboard.type(' // mine');
    await page.keyboard.press('Control+s');
    await page.locator('.message', { hasText: 'Saved' }).waitFor();
    ok(readFileSync(path, 'utf8').includes('// mine'), 'the file is written');

    // somebody else writes it: three ways
    writeFileSync(path, readFileSync(path, 'utf8') + '// theirs\n');
    await page.keyboard.type(' too');
    await page.keyboard.press('Control+s');
    await page.getByRole('dialog').waitFor();
    const dialog = await page.getByRole('dialog').boundingBox(), texts = await Promise.all((await page.locator('.versions pre').all()).map((text) => text.boundingBox()));
    ok(texts.length === 2 && texts.every(({ x, width }) => x + width < dialog.x + dialog.width) && Math.abs(texts[0].width - texts[1].width) < 2, 'both texts are seen, side by side');
    await picture('three-ways');
    ok(!readFileSync(path, 'utf8').includes('too'), 'it is not written over');
    await page.getByRole('button', { name: 'Take the one on the disk' }).click();
    await until(page, 'theirs is in the text', () => window.studio.text().includes('// theirs'));

    // panels by keyboard
    await page.keyboard.press('Alt+2');
    equal(await page.getByRole('tab', { selected: true }).textContent(), 'Run', 'Alt+2 shows the runs');
    await page.keyboard.press('ArrowRight');
    equal(await page.getByRole('tab', { selected: true }).textContent(), 'Faults', 'arrow keys go on');
}
