// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// A campaign: many faults, a run for each, and a table to find the ones that matter.
import { ask, job } from './server.js';
import { fill, h } from './dom.js';
import { offer } from './run.js';
import { parseTable, table, targets } from './targets.js';
import { plain } from './numbers.js';
import { studio } from './studio.js';

const BOOKKEEPING = /^(run|seed|mode changes|stored before|stored after|supplied|dissipated|by modulation|by parameters|lost in jumps|residual)$/;

/** Every target that the words select, with every size; automata get stuck in each of their states. Percentages of 0 are left out. */
export function faultsOf(list, { words, sizes, at, until }) {
    const wanted = words.toLowerCase().split(/[\s,]+/).filter(Boolean);
    const chosen = targets(list).filter(({ name, what }) => wanted.length === 0 || wanted.some((word) => name.toLowerCase().includes(word) || what === word));
    return chosen.flatMap(({ name, what, kinds, zero }) => what === 'automaton'
        ? kinds.slice(2).map(([kind, value]) => ({ target: name, kind, value, at, until }))
        : sizes.filter((size) => !(zero && size.includes('%'))).map((size) => ({ target: name, kind: what === 'sensor' ? 'bias' : 'abrupt', value: size, at, until })));
}

function resultTable(text, faults, tryFault) {
    const [head, ...rows] = parseTable(text);
    const shown = head.map((name, i) => [name, i]).filter(([name]) => !BOOKKEEPING.test(name));
    const number = head.indexOf('run');
    let sorted = null, up = false;
    const body = h('tbody');
    const put = () => fill(body, rows.map((row) => h('tr', {}, shown.map(([name, i]) => {
        const value = row[i] ?? '', size = Number(value);
        if (name === 'fault') {
            const fault = faults[Number(row[number]) - 1];
            return h('th', { scope: 'row' }, fault ? h('button', { type: 'button', class: 'link-button', title: 'Run it beside the nominal one', onclick: () => tryFault(fault) }, value) : 'nominal');
        }
        return value !== '' && Number.isFinite(size) ? h('td', { class: 'number' }, plain(size, 5)) : h('td', {}, value);
    }))));
    const sort = (i) => {
        up = sorted === i ? !up : false;
        sorted = i;
        rows.sort((a, b) => {
            const [x, y] = [Number(a[i]), Number(b[i])];
            const order = Number.isNaN(x) || Number.isNaN(y) ? String(a[i]).localeCompare(String(b[i])) : x - y;
            return up ? order : -order;
        });
        put();
    };
    put();
    return h('div', { class: 'scroll results' }, h('table', {}, h('thead', {}, h('tr', {}, shown.map(([name, i]) => h('th', { scope: 'col' }, h('button', { type: 'button', class: 'link-button', title: 'Sort by it', onclick: () => sort(i) }, name))))), body));
}

export function createCampaign({ asked, tryFault }) {
    const words = h('input', { type: 'text', placeholder: 'all', spellcheck: 'false', 'aria-label': 'Targets' });
    const sizes = h('input', { type: 'text', value: '-50 [%], -30 [%], 30 [%], 50 [%]', spellcheck: 'false', 'aria-label': 'Sizes' });
    const at = h('input', { type: 'text', placeholder: '0', spellcheck: 'false', 'aria-label': 'Begin of all' });
    const until = h('input', { type: 'text', placeholder: 'stay', spellcheck: 'false', 'aria-label': 'End of all' });
    const count = h('span', { class: 'note' });
    const progress = h('progress', { max: 1, value: 0, 'aria-label': 'Progress of the campaign', hidden: true });
    const results = h('div', { class: 'campaign-results' });
    const go = h('button', { type: 'button', class: 'primary', onclick: () => run() }, 'Run the campaign');
    const stop = h('button', { type: 'button', disabled: true, onclick: () => number !== null && ask('stop', { job: number }) }, 'Stop');
    const saveTable = h('button', { type: 'button', disabled: true, onclick: () => offer('campaign.csv', new Blob([text], { type: 'text/csv' })) }, 'Save the table');
    let number = null, text = '';
    const faults = () => faultsOf(studio.listed, { words: words.value, sizes: sizes.value.split(',').map((size) => size.trim()).filter(Boolean), at: at.value.trim(), until: until.value.trim() });
    const show = () => { count.textContent = `${faults().length} faults`; };
    const run = async () => {
        const wanted = faults();
        if (wanted.length === 0) return studio.say('No target can fail like that: choose other targets.', 'warning');
        go.disabled = true;
        stop.disabled = false;
        progress.hidden = false;
        progress.value = 0;
        results.dataset.state = 'running';
        try {
            const { result } = await job('campaign', asked({ 'fault rows': table(wanted) }), { begun: (id) => { number = id; }, progress: ({ t, stop: all }) => { progress.value = all > 0 ? t / all : 0; } });
            const why = result.diagnostics?.diagnostics?.[0]?.message ?? result.error;
            text = result.table ?? '';
            saveTable.disabled = !text;
            fill(results, text ? [h('p', { class: 'note' }, (result.told ?? '').split('\n')[0]), resultTable(text, wanted, tryFault)] : h('p', { class: 'problem' }, why ?? `The campaign was ${result.end}.`));
            results.dataset.state = text ? 'finished' : 'failed';
        } catch (error) {
            fill(results, h('p', { class: 'problem' }, error.message));
            results.dataset.state = 'failed';
        }
        go.disabled = false;
        stop.disabled = true;
        progress.hidden = true;
    };
    for (const field of [words, sizes, at, until]) field.addEventListener('input', show);
    studio.onCheck('faults', show);
    studio.on('open', () => { fill(results); text = ''; saveTable.disabled = true; });
    return h('div', {}, h('div', { class: 'fields' }, h('label', { title: 'Words that the names of targets have in them, or parameter, element, automaton, sensor' }, 'Targets', words), h('label', {}, 'Sizes', sizes), h('label', {}, 'Begin', at), h('label', {}, 'End', until)),
        h('div', { class: 'bar' }, go, stop, count, progress, saveTable), results);
}
