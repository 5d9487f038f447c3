// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The text panel with the language service: colours, a repair by its button, completion, hover, rename, canonical form.
import { writeFileSync } from 'node:fs';
import { equal, ok, showFiles } from '../expect.mjs';

const text = 'model Lamp {\n    Se battery(12 [V]); // ä 𝄞\n    R bulb(10 [Ohm]);\n    1 loop;\n    battery -> lop -> bulb;\n}\n';

export default async function story({ page, address, folder, picture }) {
    const now = () => page.evaluate(() => window.studio.text());
    const becomes = async (words) => {
        for (let i = 0; i < 100 && !(await now()).includes(words); i++) await page.waitForTimeout(50);
        ok((await now()).includes(words), `the text becomes ${words}`);
    };
    writeFileSync(`${folder}/lamp.hbg`, text);
    await page.goto(address);
    await page.locator('.cm-content').waitFor();
    await showFiles(page);
    await page.getByRole('button', { name: 'lamp.hbg' }).click();

    // each word by what it is
    await page.locator('.hbg-junction', { hasText: 'loop' }).first().waitFor();
    equal(await page.locator('.hbg-element', { hasText: 'bulb' }).count(), 2, 'the element is coloured where it is declared and bonded');

    // the repair
    await page.locator('.cm-lintRange-error').first().hover();
    await page.locator('.cm-diagnosticAction').first().waitFor();
    await picture('repair');
    await page.locator('.cm-diagnosticAction').first().click();
    await becomes('battery -> loop -> bulb;');
    await page.locator('.counts', { hasText: 'no problems' }).waitFor();

    // what a name is
    await page.locator('.cm-line', { hasText: 'R bulb' }).locator('.hbg-element').hover();
    await page.locator('.hover', { hasText: 'resistor, electrical: `10 Ohm`' }).waitFor();
    await picture('hover');

    // hints: what hbg found out, and where strokes are
    await page.locator('.inlay', { hasText: 'electrical' }).first().waitFor();
    equal(await page.locator('.cm-line', { hasText: 'battery ->' }).locator('.inlay').count(), 2, 'a stroke on each bond');

    // where a name is used
    await page.locator('.cm-line', { hasText: 'R bulb' }).locator('.hbg-element').click();
    await page.keyboard.press('Shift+F12');
    await page.locator('.message', { hasText: '2 places in this file.' }).waitFor();
    await page.keyboard.press('Escape');

    // the outline
    await page.keyboard.press('Control+Shift+O');
    await page.getByRole('searchbox', { name: 'Go to' }).fill('loop');
    await picture('outline');
    await page.keyboard.press('Enter');
    await page.locator('.cm-activeLine', { hasText: '1 loop' }).waitFor();

    // a new name, everywhere
    await page.locator('.cm-line', { hasText: 'R bulb' }).locator('.hbg-element').click();
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'New name' }).fill('lamp');
    await page.keyboard.press('Enter');
    await becomes('battery -> loop -> lamp;');
    ok((await now()).includes('R lamp(10 [Ohm]);'), 'also where it is declared');
    await page.locator('.diagram-paper g.node[data-path=lamp]').waitFor();
    const [lamp, paper] = [await page.locator('.diagram-paper g.node[data-path=lamp]').boundingBox(), await page.locator('.diagram-paper').boundingBox()];
    ok(lamp.x + lamp.width < paper.x + paper.width && lamp.y + lamp.height < paper.y + paper.height, 'the diagram, which had no bonds at first, is seen whole');

    // completion of what can stand there
    await page.locator('.cm-line', { hasText: 'battery ->' }).click();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('loop -> ba');
    await page.locator('.cm-tooltip-autocomplete', { hasText: 'battery' }).waitFor();
    await picture('completion');
    await page.keyboard.press('Escape');
    for (let i = 0; i < 10; i++) await page.keyboard.press('Backspace');

    // the signature of what is being written
    await page.keyboard.type('C store(');
    await page.locator('.signature b', { hasText: 'value [F]' }).waitFor();
    await picture('signature');
    await page.keyboard.press('Escape');
    for (let i = 0; i < 10; i++) await page.keyboard.press('Backspace');

    // the canonical form
    await page.keyboard.type('R   r ( 1 );');
    await page.keyboard.press('Shift+Alt+F');
    await becomes('    R r(1);');
}
