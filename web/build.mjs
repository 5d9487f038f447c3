// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// build.mjs MODULES OUT: bundles the page with the packages in MODULES and writes it as C, for the binary, to OUT. Called by tools/page.sh.
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const [modules, out] = process.argv.slice(2).map((path) => resolve(path));
const here = dirname(fileURLToPath(import.meta.url));
const esbuild = createRequire(join(modules, 'x.js'))('esbuild');

const result = await esbuild.build({
    entryPoints: [join(here, 'main.js'), join(here, 'style.css')],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'inline',
    nodePaths: [modules],
    outdir: dirname(out),
    write: false,
    logLevel: 'warning',
});

const made = (ending) => Buffer.from(result.outputFiles.find((file) => file.path.endsWith(ending)).contents);
const assets = [
    ['/', 'text/html; charset=utf-8', readFileSync(join(here, 'index.html'))],
    ['/studio.js', 'text/javascript; charset=utf-8', made('main.js')],
    ['/studio.css', 'text/css; charset=utf-8', made('style.css')],
    ['/icon.svg', 'image/svg+xml', readFileSync(join(here, 'icon.svg'))],
];

// a zero after each, so it is also a text
const bytes = (data) => [...data, 0].join(',').replace(/(.{1,118}),/g, '$1,\n');
const text = [
    '/* Made of web/ by web/build.mjs. */',
    '#include "studio/studio_impl.h"',
    ...assets.map(([, , data], i) => `static const unsigned char data_${i}[] = {\n${bytes(data)}};`),
    'const hbg_studio_asset hbg_studio_assets[] = {',
    ...assets.map(([path, type], i) => `    {"${path}", "${type}", data_${i}, sizeof data_${i} - 1},`),
    '};',
    `const int hbg_studio_asset_count = ${assets.length};`,
    '',
];
writeFileSync(out, text.join('\n'));
