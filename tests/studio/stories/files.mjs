// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Files: what somebody else changed meanwhile and all three answers to it, a file that is gone, a name declared in another file, a file of two models, a
// mistake behind letters of every width; two pages on one file, and one that is closed while it runs.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Client } from '../client.mjs';
import { equal, ok, showFiles, until } from '../expect.mjs';

const SWING = 'model Swing {\n    C spring(1 [m/N], q = 1 [m]);\n    I mass(1 [kg]);\n    1 body;\n    body -> spring;\n    body -> mass;\n    output x = spring.q;\n    experiment endless { stop 1e9 [s]; record x every 1 [s]; }\n}\n';
const circuit = (name, volts, load = 'Load') => `model ${name} {\n    Se s(${volts} [V]);\n    ${load} r;\n    s -> r.p;\n    output i = r.r.f;\n    experiment of_${name} { stop 1 [s]; record i; }\n}\n`;
const LOAD = 'component Load {\n    port p : electrical;\n    R r(2 [Ohm]);\n    1 l;\n    p -> l -> r;\n}\n';

async function openFile(page, address, name) {
    await page.goto(address);
    await showFiles(page);
    await page.getByRole('button', { name, exact: true }).click();
    await page.locator('.path', { hasText: name }).waitFor();
    await until(page, 'it is checked', () => window.studio.checked === window.studio.text());
}

async function write(page, words) {
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(words);
    await page.keyboard.press('Control+s');
}

async function answers(page, path, picture) {
    const now = () => readFileSync(path, 'utf8');
    const choose = (name) => page.getByRole('dialog').getByRole('button', { name }).click();
    writeFileSync(path, `${SWING}// theirs\n`);
    await write(page, '// mine');
    await page.getByRole('dialog').waitFor();
    await choose('Decide later');
    equal(now(), `${SWING}// theirs\n`, 'later: the file is as it was');
    ok((await page.evaluate(() => window.studio.text())).endsWith('// mine'), 'and so is the text');
    await page.keyboard.press('Control+s');
    await page.getByRole('dialog').waitFor();
    writeFileSync(path, `${SWING}// theirs again\n`); // while it is asked
    await choose('Write mine over it');
    await page.getByRole('dialog').getByText('theirs again').waitFor();
    equal(now(), `${SWING}// theirs again\n`, 'what was not shown is not written over');
    await picture('again');
    await choose('Write mine over it');
    await page.locator('.message', { hasText: 'Saved' }).waitFor();
    equal(now(), `${SWING}// mine`, 'mine is written');
    rmSync(path);
    await write(page, ' too');
    await page.getByRole('dialog').getByText('no longer on the disk').waitFor();
    await choose('Write it again');
    await until(page, 'it is saved', () => !window.studio.isDirty());
    equal(now(), `${SWING}// mine too`, 'it is written again');
}

/** Another page writes first: this one is asked. */
async function twoPages(page, context, address) {
    const other = await context.newPage();
    await openFile(other, address, 'swing.hbg');
    await openFile(page, address, 'swing.hbg');
    await write(other, '// first');
    await until(other, 'it is saved', () => !window.studio.isDirty());
    await write(page, '// second');
    await page.getByRole('dialog').getByText('// first').first().waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Take the one on the disk' }).click();
    await until(page, 'theirs', () => window.studio.text().endsWith('// first'));
    // each has its own run; the other one's is not its business
    let id, job;
    other.on('request', (request) => { if (request.url().endsWith('/api/run')) id = request.headers()['x-hbg-page']; });
    for (const one of [page, other]) {
        await one.getByRole('tab', { name: 'Run' }).click();
        await one.getByRole('button', { name: 'Run', exact: true }).click();
        await until(one, 'rows', () => window.studio.runPanel.runs[0]?.count > 10);
    }
    ({ job } = await other.evaluate(() => ({ job: window.studio.runPanel.runs[0].job })));
    await other.close();
    const client = new Client(new URL(address).port, new URL(address).searchParams.get('token'), id);
    let status;
    for (let i = 0; i < 100 && status !== 404; i++) { ({ status } = await client.ask('rows', { job, rows: 0, events: 0 })); await new Promise((resolve) => { setTimeout(resolve, 100); }); }
    equal(status, 404, 'what a page began ends when it is closed');
    equal(await page.locator('.panel.run').getAttribute('data-state'), 'running', 'that of the other page goes on');
    await page.locator('.panel.run > .bar').getByRole('button', { name: 'Stop', exact: true }).click();
    await page.locator('.panel.run[data-state=interrupted]').waitFor();
}

export default async function files({ page, context, address, folder, picture }) {
    writeFileSync(`${folder}/swing.hbg`, SWING);
    writeFileSync(`${folder}/load.hbg`, LOAD);
    writeFileSync(`${folder}/two.hbg`, `import "load.hbg";\n${circuit('One', 2)}${circuit('Two', 4)}`);
    writeFileSync(`${folder}/wide.hbg`, 'model Wide {\n    Se s(1 [V]);\n    R r(1 [Ohm]);\n    1 loop;\n    /* äß𝄞 */ s -> lop -> r;\n}\n');
    await openFile(page, address, 'swing.hbg');
    await answers(page, `${folder}/swing.hbg`, picture);
    await twoPages(page, context, address);

    // one of two models
    await openFile(page, address, 'two.hbg');
    await page.getByLabel('Model', { exact: true }).selectOption('Two');
    await until(page, 'the other model', () => window.studio.list?.model === 'Two');
    await page.getByRole('tab', { name: 'Run' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.panel.run[data-state=finished]').waitFor();
    equal(await page.evaluate(() => { const [run] = window.studio.runPanel.runs; return run.column('i')[0]; }), 2, '4 V over 2 Ohm');
    await picture('two');
    // where its load is declared
    await page.evaluate(() => { const at = window.studio.text().indexOf('Load r'); window.studio.editor.view.dispatch({ selection: { anchor: at + 1 } }); window.studio.editor.focus(); });
    await page.keyboard.press('F12');
    await page.locator('.path', { hasText: 'load.hbg' }).waitFor();
    await page.locator('.cm-activeLine', { hasText: 'component Load' }).waitFor();

    // lines that end as on Windows: nothing has changed when it is opened, and what is written ends as the others
    writeFileSync(`${folder}/ends.hbg`, 'model Ends {\r\n    Se s(1 [V]);\r\n    R r(1 [Ohm]);\r\n    s -> r;\r\n}\r\n');
    await openFile(page, address, 'ends.hbg');
    equal(await page.evaluate(() => window.studio.isDirty()), false, 'it is as it was read');
    await write(page, '// mine\n');
    await page.locator('.message', { hasText: 'Saved' }).waitFor();
    equal(readFileSync(`${folder}/ends.hbg`, 'utf8'), 'model Ends {\r\n    Se s(1 [V]);\r\n    R r(1 [Ohm]);\r\n    s -> r;\r\n}\r\n// mine\r\n', 'ends of lines stay');

    // the place of a mistake, and its repair
    await page.getByRole('button', { name: 'wide.hbg', exact: true }).click();
    await page.locator('.cm-lintRange-error').waitFor();
    equal(await page.locator('.cm-lintRange-error').textContent(), 'lop', 'what is marked');
    await page.locator('.cm-lintRange-error').hover();
    await page.locator('.cm-diagnosticAction').first().click();
    await until(page, 'it is mended', () => window.studio.text().includes('s -> loop -> r'));
    await page.evaluate(() => { window.studio.saved = window.studio.text(); });
}
