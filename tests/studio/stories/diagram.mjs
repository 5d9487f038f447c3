// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The diagram of the diode and the inductor: its mode is chosen by clicking states, what changed is marked, strokes follow the text while one types,
// and two sources on one node are a conflict until one of them is gone again.
import { equal, ok, until } from '../expect.mjs';

const stroke = (page, bond) => page.evaluate((name) => {
    const link = [...document.querySelectorAll('.diagram-paper g.link')].find((group) => group.dataset.bond === name);
    return [...link.querySelectorAll('.stroke:not(.hidden)')].map((path) => (path.classList.contains('at-to') ? 'to' : 'from')).join();
}, bond);
const conflicts = (page) => page.evaluate(() => [...document.querySelectorAll('.diagram-paper g.link')].filter((link) => link.querySelector('path.conflict')).map(({ dataset }) => dataset.bond).sort().join(' '));
const place = (page, path) => page.evaluate((name) => document.querySelector(`.diagram-paper g.node[data-path="${name}"]`).dataset.at, path);

export default async function diagram({ page, address, picture }) {
    await page.goto(address);
    await page.locator('.diagram-paper g.node[data-path=coil]').waitFor();
    await page.locator('.panel.diagram[data-valid=true]').waitFor();
    // the switch is open, nothing conducts: the coil has no current of its own to decide
    equal(await stroke(page, 'node>coil'), 'from', 'a coil in derivative causality');
    await picture('start');

    await page.locator('[data-automaton=manual][data-state=closed]').click();
    await page.locator('.diagram-paper circle.control.changed').waitFor();
    ok(!(await page.locator('.diagram-paper g.node[data-path=j_sw] circle').getAttribute('class')).includes('off'), 'the switch is on');
    equal(await stroke(page, 'node>coil'), 'to', 'a coil in integral causality');
    ok((await page.locator('.diagram-paper path.changed').count()) > 0, 'strokes that moved are marked');
    await picture('closed');

    const before = await place(page, 'coil'), length = (await page.evaluate(() => window.studio.text())).length;
    await page.evaluate(() => {
        const at = window.studio.text().indexOf('    automaton manual');
        window.studio.editor.edit([{ from: at, to: at, insert: '    Se one(1 [V]);\n    Se two(2 [V]);\n    one -> node;\n    two -> node;\n\n' }]);
    });
    await page.locator('.panel.diagram[data-valid=false]').waitFor();
    await page.locator('.diagram-paper g.node[data-path=two]').waitFor();
    await until(page, 'the page follows', () => document.querySelectorAll('.diagram-paper path.conflict').length > 0);
    equal(await conflicts(page), 'one>node two>node', 'the bonds that contradict each other');
    equal(await place(page, 'coil'), before, 'what was there has not moved');
    ok((await page.locator('.panel.diagram .caption').textContent()).includes('no valid causal assignment'), 'it is told in words');
    await picture('conflict');
    await page.evaluate(() => {
        const at = window.studio.text().indexOf('    two -> node;\n'), se = window.studio.text().indexOf('    Se two(2 [V]);\n');
        window.studio.editor.edit([{ from: se, to: se + '    Se two(2 [V]);\n'.length, insert: '' }, { from: at, to: at + '    two -> node;\n'.length, insert: '' }]);
    });
    await page.locator('.panel.diagram[data-valid=true]').waitFor();
    await page.locator('.diagram-paper g.node[data-path=two]').waitFor({ state: 'detached' });
    equal(await conflicts(page), '', 'the conflict is gone');
    ok((await page.evaluate(() => window.studio.text())).length > length, 'the other source is still there');

    // while the text has errors the last strokes stay, faint; what is right again has its own
    const write = (old, words) => page.evaluate(([from, to]) => { const at = window.studio.text().indexOf(from); window.studio.editor.edit([{ from: at, to: at + from.length, insert: to }]); }, [old, words]);
    await write('R series(R1)', 'R series(R9)');
    await page.locator('.diagram-paper svg.stale').waitFor();
    await until(page, 'the wrong text is drawn', () => window.studio.diagramPanel.drawn === window.studio.text());
    equal(await stroke(page, 'node>coil'), 'to', 'the stroke of the text before');
    await picture('errors');
    await write('R series(R9);', 'R series(');
    await until(page, 'it is checked', () => window.studio.checked === window.studio.text());
    equal(await stroke(page, 'node>coil'), 'to', 'where nothing can be drawn the drawing stays');
    await write('R series(', 'R series(R1);');
    await page.locator('.diagram-paper svg:not(.stale)').waitFor();

    // a key a time: strokes are those of the text, on the drawing that is there
    const took = await page.evaluate(async () => {
        const times = [];
        for (const letter of ['1', '2', '3']) {
            const at = window.studio.text().indexOf('10 [V]'), began = performance.now();
            window.studio.editor.edit([{ from: at, to: at, insert: letter }]);
            await new Promise((done) => { const look = () => (window.studio.diagramPanel.marked === window.studio.text() ? done() : setTimeout(look, 1)); look(); });
            times.push(performance.now() - began);
        }
        return Math.min(...times);
    });
    console.log(`diagram: strokes ${Math.round(took)} ms after a key`);
}
