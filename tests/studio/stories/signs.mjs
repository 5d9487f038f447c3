// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The line of events and the strips under the plots: a sign of its own for each kind of mode, told by its title, and colours for the states of an automaton. Two capacitors share
// their charge, and an alarm that reads what the voltage was before hears it once that is real: a boundary. Two bodies that rebound are a pinnacle.
import { writeFileSync } from 'node:fs';
import { equal, ok, showFiles, until } from '../expect.mjs';

const SHARING = `model Sharing {
    input bool on = false;
    C full(1 [F], e = 2 [V]);
    C empty(1 [F]);
    R lamp(1 [Ohm]);
    0 a;
    0 b;
    1 wire when s;
    1 light when alarm;
    a -> full;
    a -> wire -> b -> empty;
    b -> light -> lamp;
    automaton s { off open -> closed when on; on closed; }
    automaton alarm { off quiet -> loud when pre(empty.e) >= 0.5 [V]; on loud; }
    output v = empty.e;
    experiment close { stop 2 [s]; at 1 [s]: on = true; record v; }
}
`;

/** The colours in a square around a place of the line, as the number of pixels that are neither background nor the line. */
const ink = (page, t) => page.evaluate((at) => {
    const { strips } = window.studio.runPanel, { canvas, area, view: [from, to] } = strips, x = area[0] + (at - from) / (to - from) * area[1], scale = devicePixelRatio;
    const data = canvas.getContext('2d').getImageData(Math.round((x - 6) * scale), 4 * scale, 12 * scale, 13 * scale).data;
    return Array.from({ length: data.length / 4 }, (_, i) => (data[4 * i + 3] > 128 ? data.slice(4 * i, 4 * i + 3).join() : '')).filter(Boolean).sort().join(' ');
}, t);

async function runOf(page, name) {
    await page.getByRole('button', { name: `${name}.hbg`, exact: true }).click();
    await page.getByRole('tab', { name: 'Run' }).click();
    await until(page, 'it is checked', () => window.studio.checked === window.studio.text() && window.studio.listed?.experiments.length > 0);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.panel.run[data-state=finished]').waitFor();
    await until(page, 'events lie under the plots', () => window.studio.runPanel.strips.area[1] > 300);
    return page.evaluate(() => window.studio.runPanel.runs[0].events.map(({ t, modes }) => ({ t, kinds: modes.map(({ kind }) => kind) })));
}

/** What the title under the mouse says of an event. */
async function titleAt(page, t) {
    const line = await page.locator('canvas.strips').boundingBox();
    const x = await page.evaluate((at) => { const { area, view: [from, to] } = window.studio.runPanel.strips; return area[0] + (at - from) / (to - from) * area[1]; }, t);
    await page.mouse.move(line.x + x, line.y + 10);
    return page.locator('canvas.strips').getAttribute('title');
}

export default async function signs({ page, address, folder, picture }) {
    writeFileSync(`${folder}/sharing.hbg`, SHARING);
    await page.goto(address);
    await showFiles(page);
    const told = new Map();
    for (const name of ['sharing', 'elastic-pair', 'diode-inductor']) {
        const events = await runOf(page, name);
        for (const kind of ['mythical', 'pinnacle', 'boundary', 'continuous']) {
            const event = events.find(({ t, kinds }) => t > 0 && kinds.includes(kind));
            if (!event || told.has(kind)) continue;
            const title = await titleAt(page, event.t);
            if (title.includes(`(${kind})`)) told.set(kind, await ink(page, event.t));
        }
        await picture(name);
    }
    equal([...told.keys()].sort().join(), 'boundary,continuous,mythical,pinnacle', `signs that were looked at: ${[...told.keys()]}`);
    equal(new Set(told.values()).size, told.size, 'each kind has a sign of its own');

    // the strip of the diode: two states, two colours, and the one of the start again at the end
    const colour = (t) => page.evaluate((at) => {
        const { strips } = window.studio.runPanel, { canvas, area, view: [from, to] } = strips, x = area[0] + (at - from) / (to - from) * area[1];
        return canvas.getContext('2d').getImageData(Math.round(x * devicePixelRatio), Math.round(36 * devicePixelRatio), 1, 1).data.slice(0, 3).join();
    }, t);
    const [before, during, after] = [await colour(90e-6), await colour(340e-6), await colour(590e-6)];
    ok(before !== during && before === after, `blocking, conducting, blocking: ${before} ${during} ${after}`);
}
