// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// kate.mjs theme FILE: a theme that has a colour of its own for every style of Kate.
// kate.mjs colours FILE: what Kate has made of colours.hbg with that theme, as HTML, against tests/editors/colours.
// kate.mjs settings: the settings of Kate's LSP client start a server for the files that the highlighting is for.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, lines } from './colours.mjs';
import { equal, ok } from '../studio/expect.mjs';

const kate = join(process.env.HBG_SOURCE_DIR, 'editors/kate');
const styles = ['Normal', 'Keyword', 'Function', 'Variable', 'ControlFlow', 'Operator', 'BuiltIn', 'Extension', 'Preprocessor', 'Attribute', 'Char', 'SpecialChar', 'String', 'VerbatimString', 'SpecialString', 'Import', 'DataType', 'DecVal', 'BaseN', 'Float', 'Constant', 'Comment', 'Documentation', 'Annotation', 'CommentVar', 'RegionMarker', 'Information', 'Warning', 'Alert', 'Error', 'Others'];
const kinds = { Comment: 'comment', Keyword: 'keyword', DataType: 'kind', Attribute: 'unit', Float: 'number', String: 'text', Constant: 'word', Normal: 'name' };
const colour = (style) => `#0000${(styles.indexOf(style) + 16).toString(16)}`;
const [what, file] = process.argv.slice(2);

if (what === 'theme') {
    const text = Object.fromEntries(styles.map((style) => [style, { 'text-color': colour(style) }]));
    writeFileSync(file, JSON.stringify({ metadata: { name: 'Each its own', revision: 1 }, 'text-styles': text, 'custom-styles': {}, 'editor-colors': {} }));
} else if (what === 'settings') {
    const { servers: { hbg } } = JSON.parse(readFileSync(join(kate, 'lspclient.json'), 'utf8'));
    equal(hbg.command.join(' '), 'hbg lsp', 'the command');
    const [, name] = /<language name="([^"]*)"/.exec(readFileSync(join(kate, 'hbg.xml'), 'utf8'));
    ok(new RegExp(hbg.highlightingModeRegex).test(name), 'for files that are shown in this mode');
} else {
    const plain = (text) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
    const html = /<pre>\n?([^]*)<\/pre>/.exec(readFileSync(file, 'utf8'))[1].split('\n');
    const styled = html.map((line) => {
        const made = [];
        for (const [, style, inside, outside] of line.matchAll(/<span style="[^"]*?(?:color:(#\w+);)?">([^<]*)<\/span>|([^<]+)/g))
            for (const letter of plain(inside ?? outside)) made.push([letter, style ?? colour('Normal')]);
        return made;
    });
    lines.forEach((line, i) => equal((styled[i] ?? []).map(([letter]) => letter).join(''), line, `line ${i + 1} of Kate`));
    check('Kate', (line, column) => {
        const style = styles.find((name) => colour(name) === styled[line][column][1]);
        return kinds[style] ?? style;
    }, { domain: 'kind' });
}
