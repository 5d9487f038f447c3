// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Edits of the text that panels offer, and the places of blocks of the language.
import { studio } from './studio.js';

/** The text with comments and strings as blanks, so that braces can be counted. */
export function bare(text) {
    return text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"/g, (found) => found.replace(/[^\n]/g, ' '));
}

/** The offset of the brace that closes the block which begins at `open`; -1 if there is none. */
export function closing(code, open) {
    let depth = 0;
    for (let i = open; i < code.length; i++) {
        if (code[i] === '{') depth++;
        if (code[i] === '}' && --depth === 0) return i;
    }
    return -1;
}

/** The block `keyword name { … }`: { open, close } as offsets; null if it is not in this text. */
export function block(text, keyword, name) {
    const code = bare(text);
    const found = new RegExp(`\\b${keyword}\\s+${name.replace(/[^A-Za-z0-9_]/g, '\\$&')}\\b`).exec(code);
    if (!found) return null;
    const open = code.indexOf('{', found.index), close = open < 0 ? -1 : closing(code, open);
    return close < 0 ? null : { open, close };
}

/** Inserts lines before the closing brace of a block, one level deeper. */
export function insertInto({ close }, lines, text = studio.text()) {
    const begin = text.lastIndexOf('\n', close - 1) + 1, indent = /^[ \t]*/.exec(text.slice(begin, close))[0];
    const alone = text.slice(begin, close).trim() === '';
    const made = lines.map((line) => `${indent}    ${line}\n`).join('');
    return alone ? { from: begin, to: begin, insert: made } : { from: close, to: close, insert: `\n${made}${indent}` };
}

/** Inserts a sentence into an experiment of the open file; reports that, or why not. */
export function putIntoExperiment(experiment, line) {
    const place = experiment ? block(studio.text(), 'experiment', experiment) : null;
    if (!place) return studio.say(`The experiment ${experiment || ''} is not in this file: copy the line instead.`, 'warning');
    studio.editor.edit([insertInto(place, [line])]);
    studio.say(`Written into the experiment ${experiment}. Ctrl+Z in the text takes it back.`);
}

/** Replaces whole lines, keeping the indentation of the first. */
export function replaceLines(line, count, written) {
    const lines = studio.text().split('\n');
    const from = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    const old = lines.slice(line - 1, line - 1 + count).join('\n');
    const indent = /^[ \t]*/.exec(old)[0];
    const made = written.split('\n').map((one, i) => (i === 0 ? indent : `${indent}    `) + one.trim()).join('\n');
    studio.editor.edit([{ from, to: from + old.length, insert: made }]);
}
