// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// A model of 2000 elements: opened, drawn so that it can be read from its beginning on, edited with its problems told as one types, and run. And the testbed of
// ADAPT, which is seen whole on one screen and can be read.
import { writeFileSync } from 'node:fs';
import { ladder } from '../ladder.mjs';
import { equal, ok, showFiles, until } from '../expect.mjs';

export default async function large({ page, address, folder, picture }) {
    writeFileSync(`${folder}/ladder.hbg`, ladder(2000));
    await page.goto(address);
    await showFiles(page);
    await page.getByRole('button', { name: 'ladder.hbg' }).click();
    await page.getByRole('tab', { name: 'Diagram' }).click();
    await until(page, 'it is drawn', () => document.querySelectorAll('.diagram-paper g.node').length > 1990 && window.studio.diagramPanel.drawn === window.studio.text());
    const source = await page.locator('.diagram-paper g.node[data-path=source] text.letters').boundingBox(), paper = await page.locator('.diagram-paper').boundingBox();
    ok(source.height >= 6 && source.x >= paper.x && source.x + source.width < paper.x + paper.width / 2, `its source is where one looks first: ${JSON.stringify(source)}`);
    await picture('diagram');
    await page.getByRole('tab', { name: 'Run' }).click();
    await until(page, 'it is checked', () => window.studio.list?.elements.length >= 1990);
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('x');
    await page.locator('.counts', { hasText: 'error' }).waitFor();
    await page.keyboard.press('Backspace');
    await page.locator('.counts[data-kind=fine], .counts[data-kind=warning]').waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.panel.run[data-state=finished]').waitFor();
    equal(await page.evaluate(() => window.studio.runPanel.runs[0].columns.length), 2, 'time and one output');
    await picture('run');

    await page.getByRole('button', { name: 'adapt-testbed.hbg' }).click();
    await page.getByRole('tab', { name: 'Diagram' }).click();
    for (const name of ['Files', 'Text']) await page.getByRole('button', { name, exact: true }).click();
    await until(page, 'it is drawn', () => window.studio.diagramPanel.drawn === window.studio.text() && document.querySelector('.diagram-paper g.component[data-path=battery_3]'));
    await page.getByRole('button', { name: 'Fit' }).click();
    const texts = await page.locator('.diagram-paper g.graph text').evaluateAll((all) => all.map((text) => text.getBoundingClientRect()).filter(({ width }) => width > 0).map(({ x, right, height }) => ({ x, right, height })));
    const least = Math.min(...texts.map(({ height }) => height));
    ok(texts.length > 40 && least >= 8, `${texts.length} texts, the smallest ${least.toFixed(1)} px high`);
    ok(texts.every(({ x, right }) => x >= 0 && right <= 1280), 'all of it is on the screen');
    await picture('adapt-testbed');
}
