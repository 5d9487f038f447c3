// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Every text that is seen, in every panel, light and dark, stands out from what is behind it by 4.5 to 1, large ones by 3 to 1 (WCAG 2.1, AA). Texts of a drawing count, too;
// what cannot be used at the moment need not (1.4.3), nor need what is faint since it is off.
import { equal, showFiles } from '../expect.mjs';

/** In the page: [{ text, ratio, where }] of what does not stand out. */
function faint() {
    const canvas = document.createElement('canvas'), draw = canvas.getContext('2d', { willReadFrequently: true });
    canvas.width = canvas.height = 1;
    const colour = (text) => { draw.clearRect(0, 0, 1, 1); draw.fillStyle = text; draw.fillRect(0, 0, 1, 1); const [r, g, b, a] = draw.getImageData(0, 0, 1, 1).data; return [r, g, b, a / 255]; };
    const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
    const light = (rgb) => rgb.slice(0, 3).map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = (element) => {
        const layers = [];
        for (let at = element; at; at = at.parentElement) {
            const layer = colour(getComputedStyle(at).backgroundColor);
            if (layer[3] > 0) layers.push(layer);
            if (layer[3] === 1) break;
        }
        return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
    };
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement, text = node.textContent.trim();
        if (!text || element.closest('script, style, title, option, :disabled, .faint, .stale, .cm-announced') || !element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
        const box = element.getBoundingClientRect(), style = getComputedStyle(element);
        if (!box.width || box.right < 0 || box.bottom < 0 || box.left > innerWidth || box.top > innerHeight) continue;
        const back = behind(element), front = over(colour(element instanceof SVGElement ? style.fill : style.color), back);
        const [low, high] = [light(front), light(back)].sort((a, b) => a - b), ratio = (high + 0.05) / (low + 0.05);
        const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        if (ratio < (large ? 3 : 4.5) - 0.005) found.push(`${text.slice(0, 30)} ${ratio.toFixed(2)} ${element.tagName}.${element.getAttribute('class') ?? ''} in ${element.closest('.panel, .left, header, footer, nav')?.className}`);
    }
    return [...new Set(found)];
}

export default async function contrast({ page, address, picture }) {
    await page.goto(address);
    await page.locator('.diagram-paper g.node[data-path=coil]').waitFor();
    await page.getByRole('tab', { name: 'Run' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.panel.run[data-state=finished]').waitFor();
    await page.evaluate(() => window.studio.runPanel.strips.pick(2));
    await page.locator('.explanation svg').waitFor();
    await page.getByRole('tab', { name: 'Proofs' }).click();
    await page.getByRole('button', { name: 'Prove', exact: true }).click();
    await page.locator('.panel.proofs:not([data-state=running])[data-state]').waitFor();
    await showFiles(page);
    await page.evaluate(() => { window.studio.editor.edit([{ from: window.studio.text().length, to: window.studio.text().length, insert: 'oops' }]); });
    await page.locator('.problem-line').first().waitFor();
    for (const scheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme: scheme });
        for (const panel of ['Diagram', 'Run', 'Faults', 'Proofs', 'Export']) {
            await page.getByRole('tab', { name: panel }).click();
            await page.waitForTimeout(150);
            await picture(`${panel.toLowerCase()}-${scheme}`);
            equal((await page.evaluate(faint)).join('\n'), '', `${panel}, ${scheme}: what does not stand out`);
        }
    }
}
