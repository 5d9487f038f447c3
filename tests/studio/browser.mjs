// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// One browser for the stories: node browser.mjs ADDRESS STORY… runs stories/STORY.mjs one after the other, each in a page of its own, and fails when one
// fails or a page reports an error. Pictures go to the current folder.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const { chromium } = createRequire(join(process.env.HBG_SOURCE_DIR, 'build/page/x.js'))('playwright-core');
const [address, ...stories] = process.argv.slice(2);
const slow = Number(process.env.HBG_STUDIO_PATIENCE ?? 20) * 1000;

const browser = await chromium.launch({
    executablePath: process.env.HBG_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
});
let failed = 0;
for (const name of stories) {
    const { default: story } = await import(join(here, 'stories', `${name}.mjs`));
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, colorScheme: process.env.HBG_STUDIO_SCHEME ?? 'light', acceptDownloads: true });
    const page = await context.newPage();
    const errors = [];
    page.setDefaultTimeout(slow);
    page.on('pageerror', (error) => errors.push(error.stack ?? error.message));
    page.on('console', (message) => message.type() === 'error' && !message.text().startsWith('Failed to load resource') && errors.push(message.text()));
    const began = Date.now();
    try {
        await story({ page, context, address, folder: process.env.HBG_STUDIO_FOLDER, picture: (label) => page.screenshot({ path: `${name}-${label}.png` }), errors });
        if (errors.length) throw new Error(`the page reports: ${errors.join('\n')}`);
        console.log(`${name}: fine, ${Date.now() - began} ms`);
    } catch (error) {
        failed++;
        console.error(`FAILED: ${name}: ${error.stack}`);
        if (errors.length) console.error(`the page reports: ${errors.join('\n')}`);
        await page.screenshot({ path: `${name}-failed.png` }).catch(() => {});
    }
    await context.close();
}
await browser.close();
process.exit(failed ? 1 : 0);
