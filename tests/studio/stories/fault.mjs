// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The shortest story of the fault panel: the resistor of the diode and the coil loses 30 % before the switch closes, so that 90 µs later the current is
// V/R'·(1 − e^(−t R'/L)) instead of V/R·(1 − e^(−t R/L)), and these are the peaks.
import { writeFileSync } from 'node:fs';
import { equal, near, ok, showFiles, until } from '../expect.mjs';

const METER = 'model Meter { Se s(1 [V]); R r(1 [Ohm]); s -> r; sensor reading = r.f every 1 [ms]; experiment e { stop 10 [ms]; record reading; } }\n';

export default async function fault({ page, address, folder, picture }) {
    writeFileSync(`${folder}/meter.hbg`, METER);
    await page.goto(address);
    await page.getByRole('tab', { name: 'Faults' }).click();
    const kinds = await page.locator('.targets tbody tr td:nth-child(2)').allTextContents();
    equal([...new Set(kinds)].join(), 'parameter,element,automaton', 'what can fail is found from the model');
    await page.getByRole('button', { name: 'diode', exact: true }).click();
    equal((await page.locator('#fault-sizes option').evaluateAll((all) => all.map(({ value }) => value))).join(), 'on,off,blocking,conducting', 'an automaton can stay in a state');
    await page.getByLabel('End', { exact: true }).fill('200 [us]');
    equal(await page.locator('.fault-line').textContent(), 'fault at 0 until 200 [us]: diode stuck on;', 'a fault may end');
    await page.getByLabel('End', { exact: true }).fill('');
    await page.getByRole('button', { name: 'R1', exact: true }).click();
    await page.getByLabel('Begin', { exact: true }).fill('5 [us]');
    ok((await page.locator('.fault-line').textContent()) === 'fault at 5 [us]: R1 abrupt -30 [%];', 'the fault is a line of the language');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Run nominal and faulty' }).click();
    await page.locator('.panel.faults[data-state=finished]').waitFor();
    await until(page, 'the ratio', () => document.querySelector('.peaks tr[data-name=i_coil] .ratio')?.textContent.startsWith('×'));
    const peak = (R) => (10 / R) * (1 - Math.exp((-90e-6 * R) / 5e-3));
    const told = await page.locator('.peaks tr[data-name=i_coil] .ratio').textContent();
    near(Number(told.slice(2)), peak(0.7 * 330) / peak(330), 1e-3, 'the peak of the current');
    await page.locator('.comparison').evaluate((element) => element.scrollIntoView());
    await picture('residual');

    // a sensor reads wrongly by half an ampere of one
    await showFiles(page);
    await page.getByRole('button', { name: 'meter.hbg', exact: true }).click();
    await page.getByRole('button', { name: 'reading', exact: true }).click();
    equal((await page.getByLabel('Kind', { exact: true }).locator('option').allTextContents()).join(), 'bias,drift,stuck,noise', 'how a sensor can fail');
    await page.getByLabel('Size', { exact: true }).fill('0.5 [A]');
    await page.getByLabel('Begin', { exact: true }).fill('5.5 [ms]');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Run nominal and faulty' }).click();
    await until(page, 'the ratio', () => document.querySelector('.peaks tr[data-name=reading] .ratio')?.textContent === '× 1.5');
}
