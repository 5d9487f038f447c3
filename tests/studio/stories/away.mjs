// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The server goes away and comes back: the page says so, keeps the text, and runs again.
import { spawn } from 'node:child_process';
import { ok, until } from '../expect.mjs';

function serve(folder, port) {
    const server = spawn(process.env.HBG, ['studio', folder, '--no-open', '--port', String(port), '--token', 'again'], { stdio: ['ignore', 'pipe', 'inherit'] });
    return new Promise((resolve) => server.stdout.once('data', (line) => resolve([server, /http:\S+/.exec(line)[0]])));
}

export default async function away({ page, folder, errors }) {
    let [server, address] = await serve(`${folder}/diode-inductor.hbg`, 0);
    const { port } = new URL(address);
    await page.goto(address);
    await page.locator('.counts', { hasText: 'no problems' }).waitFor();
    await page.locator('.cm-content').click();
    await page.keyboard.type('// not saved ');
    server.kill('SIGTERM');
    await page.locator('.status .link', { hasText: 'the server is away' }).waitFor();
    ok((await page.evaluate(() => window.studio.text())).includes('// not saved'), 'the text stays');
    [server, address] = await serve(`${folder}/diode-inductor.hbg`, port);
    await until(page, 'the server is back', () => document.querySelector('.status .link').textContent === '');
    await page.getByRole('tab', { name: 'Run' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.panel.run[data-state=finished]').waitFor();
    ok((await page.evaluate(() => window.studio.text())).includes('// not saved'), 'the text is still there');
    errors.length = 0; // of what was asked while nobody answered
    await page.evaluate(() => { window.studio.saved = window.studio.text(); });
    server.kill('SIGTERM');
}
