// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// studio.mjs ADDRESS FOLDER PROCESS: measures the studio in Debian's Chromium, and its server; prints a section of docs/bench.md and fails when a bar is missed.
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { readFileSync, writeFileSync } from 'node:fs';
import { ladder } from '../tests/studio/ladder.mjs';

const [address, folder, server] = process.argv.slice(2);
const { chromium } = createRequire(`${process.env.HBG_SOURCE_DIR}/build/page/x.js`)('playwright-core');
const origin = new URL(address).origin;
const rows = [];
let missed = false;

function bar(what, measured, unit, most, least) {
    const fine = (most === undefined || measured <= most) && (least === undefined || measured >= least);
    missed ||= !fine;
    rows.push(`| ${what} | ${measured.toPrecision(3)} ${unit} | ${most === undefined ? `at least ${least}` : `at most ${most}`} ${unit}${fine ? '' : ', missed'} |`);
}

const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];

// ---- the page ------------------------------------------------------------------------------------------------

const bundle = await Promise.all(['/', '/studio.js', '/studio.css', '/icon.svg'].map(async (path) => Buffer.from(await (await fetch(path === '/' ? address : origin + path)).arrayBuffer())));
bar('page, gzipped', bundle.reduce((sum, data) => sum + gzipSync(data, { level: 9 }).length, 0) / 1000, 'kB', 300);

writeFileSync(`${folder}/ladder-100.hbg`, ladder(100));
writeFileSync(`${folder}/ladder-2000.hbg`, ladder(2000));
writeFileSync(`${folder}/swing.hbg`, 'model Swing { C spring(1 [m/N], q = 1 [m]); I mass(1 [kg]); 1 body; body -> spring; body -> mass; output x = spring.q; experiment long { stop 1000 [s]; record x every 1 [ms]; } }\n');

const browser = await chromium.launch({ executablePath: process.env.HBG_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-background-networking'] });
const page = await (await browser.newContext({ viewport: { width: 1280, height: 720 } })).newPage();
page.setDefaultTimeout(120000);
const until = async (question, argument) => {
    for (let i = 0; i < 2400; i++) {
        if (await page.evaluate(question, argument)) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('the page does not get there');
};

const loads = [];
for (let i = 0; i < 5; i++) {
    const began = Date.now();
    await page.goto(address);
    await page.locator('.counts', { hasText: 'no problems' }).waitFor();
    loads.push((Date.now() - began) / 1000);
}
bar('page loaded, with its model checked, median of 5', quantile(loads, 0.5), 's', 1);

// ---- key presses ---------------------------------------------------------------------------------------------

await page.evaluate(() => {
    const { studio } = window, wait = () => new Promise((resolve) => { setTimeout(resolve); });
    addEventListener('keydown', async ({ timeStamp }) => {
        for (const before = studio.text(); studio.text() === before;) await wait();
        while (studio.checked !== studio.text() || studio.diagramPanel.marked !== studio.text()) await wait();
        await new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve)); });
        window.times.push(performance.now() - timeStamp);
    }, true);
});

/** Types digits into the value of the last resistor, at the pace of a fast typist: ms from each key until diagnostics and strokes of that very text are painted. */
async function typing(file, elements, presses) {
    const pace = 120;
    await page.evaluate(() => document.body.classList.remove('no-files'));
    await page.getByRole('button', { name: file }).click();
    await until((count) => window.studio.list?.elements.length >= count && window.studio.diagramPanel.drawn === window.studio.text(), elements - 10);
    await page.evaluate(() => {
        window.times = [];
        window.studio.editor.goTo(window.studio.text().lastIndexOf('R last(1') + 8);
    });
    for (let i = 0; i < presses; i++) {
        const began = Date.now();
        await page.keyboard.press(i % 2 ? 'Backspace' : '5');
        await until((count) => window.times.length === count, i + 1);
        await new Promise((resolve) => { setTimeout(resolve, Math.max(0, began + pace - Date.now())); });
    }
    return page.evaluate(() => window.times);
}
bar('key press to diagnostics and strokes on the screen, 100 elements, 95th percentile of 100', quantile(await typing('ladder-100.hbg', 100, 100), 0.95), 'ms', 60);
bar('key press to diagnostics and strokes on the screen, 2000 elements, 95th percentile of 40', quantile(await typing('ladder-2000.hbg', 2000, 40), 0.95), 'ms', 500);

// ---- a million points ----------------------------------------------------------------------------------------

await page.getByRole('button', { name: 'swing.hbg' }).click();
await page.getByRole('tab', { name: 'Run' }).click();
await page.locator('.panel.run .experiment option[value=long]').waitFor({ state: 'attached' });
await page.getByRole('button', { name: 'Run', exact: true }).click();
await page.locator('.panel.run[data-state=finished]').waitFor();
bar('a million points, panned', await page.evaluate(async () => {
    const { plots } = window.studio.runPanel, frames = 120;
    const frame = () => new Promise((resolve) => { requestAnimationFrame(resolve); });
    const began = performance.now();
    for (let i = 0; i < frames; i++) { plots.look(i / 10, 988 + i / 10); await frame(); }
    return (1000 * frames) / (performance.now() - began);
}), 'frames/s', undefined, 30);
// ---- a thousand runs -----------------------------------------------------------------------------------------

/** MiB of the page's own memory, after what is not used any more has been collected. */
const devtools = await page.context().newCDPSession(page);
async function heap() {
    for (let i = 0; i < 3; i++) await devtools.send('HeapProfiler.collectGarbage');
    return (await devtools.send('Runtime.getHeapUsage')).usedSize / 2 ** 20;
}
/** Runs of the experiment, one after the other, by the button. */
const runs = (count) => page.evaluate(async (times) => {
    const panel = document.querySelector('.panel.run'), button = panel.querySelector('button.primary');
    for (let i = 0; i < times; i++) {
        button.click();
        while (button.disabled) await new Promise((resolve) => { requestAnimationFrame(resolve); });
        if (panel.dataset.state !== 'finished') throw new Error(panel.dataset.state);
    }
}, count);
await page.getByRole('button', { name: 'diode-inductor.hbg' }).click();
await page.locator('.panel.run .experiment option[value=opening]').waitFor({ state: 'attached' });
await runs(200);
const young = await heap();
await runs(800);
bar('memory of the page after 1000 runs, more than after 200', Math.max(0, (await heap()) - young), 'MiB', 2);
await browser.close();

const headers = { 'Content-Type': 'application/json', 'X-Hbg-Token': new URL(address).searchParams.get('token'), 'X-Hbg-Page': 'be'.repeat(16) };
const memory = () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server}/status`, 'utf8'))[1]) / 1024;
const stream = await fetch(`${origin}/api/stream`, { headers });
const reader = stream.body.pipeThrough(new TextDecoderStream()).getReader();
let rest = '';
async function done(job) {
    for (;;) {
        const at = rest.search(new RegExp(`event: done\ndata: \\{"job":${job},[^\n]*\n\n`));
        if (at >= 0) { rest = ''; return; }
        const { value } = await reader.read();
        rest += value;
    }
}
const ask = (question, asked) => fetch(`${origin}/api/${question}`, { method: 'POST', headers, body: JSON.stringify(asked) });
let early = 0;
for (let i = 0; i < 1000; i++) {
    const { job } = await (await ask('run', { path: 'diode-inductor.hbg', experiment: 'opening' })).json();
    await done(job);
    await (await ask('rows', { job, rows: 0, events: 0 })).arrayBuffer();
    await (await ask('rows', { job, rows: 117, events: 4 })).arrayBuffer();
    if (i === 199) early = memory();
}
bar('memory of the server after 1000 runs, more than after 200', Math.max(0, memory() - early), 'MiB', 8);

console.log('## Studio\n\nThe page of `hbg studio` in Chromium 1280 by 720, and its server; memory is that of the whole process.\n');
console.log('| | measured | bar |\n|---|--:|--:|');
console.log(rows.join('\n'));
process.exit(missed ? 1 : 0);
