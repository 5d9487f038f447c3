// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// What colours have to be: the table `colours`, for the model colours.hbg. Each client asks about its own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { equal, ok } from '../studio/expect.mjs';

const here = join(process.env.HBG_SOURCE_DIR, 'tests/editors');
export const text = readFileSync(join(here, 'colours.hbg'), 'utf8');
export const lines = text.split('\n');
const rows = readFileSync(join(here, 'colours'), 'utf8').split('\n').filter((row) => row && !row.startsWith('#')).map((row) => {
    const [, line, kind, word] = /^(\d+) (\w+) (.*)$/.exec(row), column = lines[line - 1].indexOf(word);
    ok(column >= 0, `line ${line} of colours.hbg has ${word}`);
    return { line: line - 1, kind, word, column };
});

/** `kindAt(line, column)` says what a client makes of a character (from 0): it has to be so from the first of a word to its last. `alike`: kinds that
 *  the client has no colour of their own for, and what they look like. */
export function check(client, kindAt, alike = {}) {
    for (const { line, kind, word, column } of rows)
        for (let k = 0; k < word.length; k++) if (word[k] !== ' ') equal(kindAt(line, column + k), alike[kind] ?? kind, `${client}: line ${line + 1}, ${word}`);
}
