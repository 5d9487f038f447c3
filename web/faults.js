// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The fault panel: possible targets, the faults to be tried, nominal and faulty run side by side with their difference, and campaigns.
import { fill, h } from './dom.js';
import { createCampaign } from './campaign.js';
import { experimentPicker } from './run.js';
import { parameterFields } from './parameters.js';
import { Plots } from './plots.js';
import { plain, quantity } from './numbers.js';
import { extremes, residual } from './residual.js';
import { putIntoExperiment } from './edits.js';
import { Run } from './runs.js';
import { sentence, targets } from './targets.js';
import { studio } from './studio.js';

/** Calls back when the possible targets have changed: most key presses do not change them. */
function onTargets(callback) {
    let key = '';
    studio.onCheck('faults', () => {
        const found = targets(studio.listed), now = found.map(({ name, now: value }) => `${name} ${value}`).join();
        if (now === key) return;
        key = now;
        callback(found);
    });
}

function targetTable(choose) {
    const search = h('input', { type: 'search', placeholder: 'Find what can fail…', 'aria-label': 'Find what can fail', oninput: () => show() });
    const body = h('tbody');
    const note = h('p', { class: 'note' });
    let all = [];
    const show = () => {
        const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
        const found = all.filter(({ name, what }) => words.every((word) => `${name} ${what}`.toLowerCase().includes(word)));
        fill(body, found.slice(0, 300).map((target) => h('tr', {}, h('th', { scope: 'row' }, h('button', { type: 'button', class: 'link-button', onclick: () => choose(target) }, target.name)), h('td', {}, target.what), h('td', { class: 'number' }, target.now))));
        note.textContent = all.length === 0 ? 'The model has nothing that can fail, or has errors.' : found.length > 300 ? `${found.length}, of which 300 are shown` : `${found.length} of ${all.length}`;
    };
    onTargets((found) => { all = found; show(); });
    return h('section', { class: 'targets', 'aria-label': 'What can fail' }, search, h('div', { class: 'scroll' }, h('table', {}, h('thead', {}, h('tr', {}, h('th', {}, 'target'), h('th', {}, 'what'), h('th', {}, 'now'))), body)), note);
}

/** A fault as a line of the language. */
const lineOf = (fault) => `fault ${sentence(fault)};`;

async function copy(text) {
    await navigator.clipboard.writeText(text).then(() => studio.say('Copied.'), () => studio.say('The browser does not let the page copy: select the line instead.', 'warning'));
}

/** The form of a fault. */
function faultForm(add, experiment) {
    const target = h('input', { type: 'text', 'aria-label': 'Target', list: 'fault-targets', spellcheck: 'false' });
    const known = h('datalist', { id: 'fault-targets' });
    const kind = h('select', { 'aria-label': 'Kind' });
    const value = h('input', { type: 'text', 'aria-label': 'Size', list: 'fault-sizes', spellcheck: 'false', value: '-30 [%]' });
    const sizes = h('datalist', { id: 'fault-sizes' }); // the states an automaton may be stuck in
    const at = h('input', { type: 'text', 'aria-label': 'Begin', spellcheck: 'false', value: '', placeholder: '3 [s]' });
    const until = h('input', { type: 'text', 'aria-label': 'End', spellcheck: 'false', placeholder: 'stays' });
    const line = h('code', { class: 'fault-line', tabindex: '0' });
    let all = [];
    const fault = () => ({ target: target.value.trim(), kind: kind.value, value: value.value.trim(), at: at.value.trim(), until: until.value.trim() });
    const show = () => {
        const chosen = target.value.trim() !== '';
        line.textContent = chosen ? lineOf(fault()) : 'Choose what fails from the table.';
        for (const button of buttons.children) button.disabled = !chosen;
    };
    const kinds = () => {
        const found = all.find(({ name }) => name === target.value.trim());
        const names = [...new Set((found?.kinds ?? [['abrupt'], ['incipient'], ['stuck'], ['bias'], ['drift'], ['noise']]).map(([name]) => name))];
        fill(kind, names.map((name) => h('option', { value: name }, name)));
        if (found) value.value = found.kinds[0][1];
        fill(sizes, found?.what === 'automaton' ? found.kinds.map(([, state]) => h('option', { value: state })) : null);
        show();
    };
    for (const field of [value, at, until]) field.addEventListener('input', show);
    target.addEventListener('input', kinds);
    kind.addEventListener('change', () => {
        const found = all.find(({ name }) => name === target.value.trim())?.kinds.find(([name]) => name === kind.value);
        if (found) value.value = found[1];
        show();
    });
    onTargets((found) => { all = found; fill(known, all.slice(0, 500).map(({ name }) => h('option', { value: name }))); });
    const buttons = h('div', { class: 'bar' }, h('button', { type: 'button', class: 'primary', onclick: () => add(fault()) }, 'Add'),
        h('button', { type: 'button', onclick: () => copy(line.textContent) }, 'Copy the line'), h('button', { type: 'button', onclick: () => putIntoExperiment(experiment.value, line.textContent) }, 'Write into the experiment'));
    kinds();
    const labelled = (label, field) => h('label', {}, label, field);
    return {
        element: h('section', { class: 'fault-form', 'aria-label': 'Fault' }, known, sizes,
            h('div', { class: 'fields' }, labelled('Target', target), labelled('Kind', kind), labelled('Size', value), labelled('Begin', at), labelled('End', until)),
            line, buttons),
        choose(found) { target.value = found.name; kinds(); value.focus(); },
        take(found) { target.value = found.target; kinds(); kind.value = found.kind; value.value = found.value; at.value = found.at; until.value = found.until ?? ''; show(); },
    };
}

/** Two columns of plots with one scale, and their difference below. */
function comparison() {
    const hosts = ['Nominal', 'Faulty', 'Residual: faulty less nominal'].map((title) => ({ title, graphs: h('div', { class: 'graphs' }) }));
    const peaks = h('tbody');
    const wanted = new Set();
    const picker = h('div', { class: 'bar curves' });
    let shown = null, moving = false;
    const plots = hosts.map(({ graphs }, i) => new Plots(graphs, { view: (from, to) => look(i, from, to) }));
    const look = (from, begin, end) => {
        if (moving || !shown) return;
        moving = true;
        plots.forEach((plot, i) => { if (i !== from && (plot.view[0] !== begin || plot.view[1] !== end)) plot.look(begin, end); });
        queueMicrotask(() => { requestAnimationFrame(() => { moving = false; }); });
        showPeaks(begin, end);
    };
    const showPeaks = (from, to) => {
        const { nominal, faulty, difference } = shown;
        fill(peaks, nominal.columns.slice(1).filter(({ name }) => wanted.has(name)).map(({ name, unit }) => {
            const [before, after, apart] = [nominal, faulty, difference].map((run) => Math.max(0, ...extremes(run, name, from, to).map(Math.abs).filter(Number.isFinite)));
            return h('tr', { 'data-name': name }, h('th', { scope: 'row' }, name), h('td', { class: 'number' }, quantity(before, unit)), h('td', { class: 'number' }, quantity(after, unit)), h('td', { class: 'number ratio' }, before > 0 ? `× ${plain(after / before, 5)}` : ''), h('td', { class: 'number' }, quantity(apart, unit)));
        }));
    };
    /** Both runs have one scale, from the visible parts of both. */
    const rangeOf = (unit, [from, to]) => {
        let low = Infinity, high = -Infinity;
        for (const run of [shown.nominal, shown.faulty])
            for (const { name, unit: own } of run.columns.slice(1)) {
                if (!wanted.has(name) || (own ?? '') !== unit) continue;
                const seen = extremes(run, name, from, to);
                low = Math.min(low, seen[0]);
                high = Math.max(high, seen[1]);
            }
        return [low, high];
    };
    const draw = () => {
        const { nominal, faulty, difference } = shown;
        plots.forEach((plot, i) => { plot.wanted = wanted; plot.rangeOf = i < 2 ? rangeOf : null; plot.key = ''; });
        plots[0].show([nominal]);
        plots[1].show([faulty]);
        plots[2].show([difference]);
        showPeaks(...plots[0].view);
    };
    const element = h('section', { class: 'comparison', hidden: true }, picker,
        h('div', { class: 'side-by-side' }, hosts.slice(0, 2).map(({ title, graphs }) => h('div', {}, h('h3', {}, title), graphs))),
        h('h3', {}, hosts[2].title), hosts[2].graphs,
        h('table', { class: 'peaks' }, h('caption', {}, 'Largest sizes in the time that is shown'), h('thead', {}, h('tr', {}, ['', 'nominal', 'faulty', 'ratio', 'residual'].map((label) => h('th', { scope: 'col' }, label)))), peaks));
    return {
        element, plots,
        show(nominal, faulty) {
            shown = { nominal, faulty, difference: residual(nominal, faulty) };
            const names = nominal.columns.slice(1).map(({ name }) => name);
            if (![...wanted].some((name) => names.includes(name))) names.slice(0, 4).forEach((name) => wanted.add(name));
            fill(picker, h('span', { class: 'note' }, 'Curves'), names.map((name) => h('label', { class: 'check' }, h('input', { type: 'checkbox', checked: wanted.has(name), onchange: (event) => { if (event.target.checked) wanted.add(name); else wanted.delete(name); draw(); } }), name)));
            element.hidden = false;
            for (const plot of plots) plot.view = null;
            draw();
        },
        clear() { element.hidden = true; shown = null; wanted.clear(); },
        look(from, to) { plots[0].look(from, to); },
        redraw() { if (shown) draw(); },
    };
}

export function createFaults(host) {
    const faults = [];
    const experiment = experimentPicker('faults');
    const parameters = parameterFields('faults');
    const list = h('ul', { class: 'fault-list', 'aria-label': 'Faults of the run' });
    const state = h('span', { class: 'note state', role: 'status' });
    const go = h('button', { type: 'button', class: 'primary', disabled: true, onclick: () => run() }, 'Run nominal and faulty');
    const stop = h('button', { type: 'button', disabled: true, onclick: () => { for (const one of current) one.stopIt(); } }, 'Stop');
    const compared = comparison();
    let current = [];
    const show = () => {
        go.disabled = faults.length === 0;
        fill(list, faults.map((fault) => h('li', {}, h('code', {}, lineOf(fault)), h('button', { type: 'button', class: 'quiet', 'aria-label': `Copy ${lineOf(fault)}`, onclick: () => copy(lineOf(fault)) }, 'copy'), h('button', { type: 'button', class: 'quiet', title: 'Change it', onclick: () => { form.take(fault); remove(fault); } }, 'change'), h('button', { type: 'button', class: 'quiet', 'aria-label': `Take ${sentence(fault)} away`, onclick: () => remove(fault) }, '✕'))));
    };
    const remove = (fault) => { faults.splice(faults.indexOf(fault), 1); show(); };
    const add = (fault) => { faults.push(fault); show(); };
    const form = faultForm(add, experiment);
    const asked = (more) => studio.asked({ experiment: experiment.value, parameters: parameters.changed(), ...more });
    const run = async () => {
        go.disabled = true;
        stop.disabled = false;
        host.dataset.state = 'running';
        const told = () => { state.textContent = current.map((one) => `${one.label}: ${one.state === 'running' && one.stop ? `${Math.round(100 * one.t / one.stop)} %` : one.state}`).join(', '); };
        current = [new Run(asked({}), 'nominal'), new Run(asked({ faults: faults.map(sentence) }), 'faulty')];
        await Promise.all(current.map((one) => one.start(told)));
        stop.disabled = true;
        go.disabled = faults.length === 0;
        told();
        const bad = current.find((one) => one.state === 'failed');
        const why = bad && (bad.result.diagnostics?.diagnostics?.[0]?.message ?? bad.result.error);
        if (bad) studio.say(`The ${bad.label} run: ${why}`, 'error');
        else {
            const short = current.find((one) => one.state !== 'finished');
            if (short) studio.say(`The ${short.label} run: ${short.result.reason}`, 'warning');
            compared.show(...current);
        }
        state.textContent = bad ? why : state.textContent;
        host.dataset.state = bad ? 'failed' : 'finished';
    };
    const campaign = createCampaign({ asked, experiment, tryFault: (fault) => { faults.length = 0; add(fault); run(); } });
    fill(host,
        h('div', { class: 'bar' }, experiment, go, stop, state),
        h('div', { class: 'fault-top' }, targetTable((target) => form.choose(target)), h('div', { class: 'fault-right' }, form.element, h('h3', {}, 'Faults of the run'), list)),
        h('details', { class: 'fold' }, h('summary', {}, 'Parameters of both runs'), parameters.element),
        compared.element,
        h('details', { class: 'fold campaign' }, h('summary', {}, 'Campaign: a run for each of many faults'), campaign));
    studio.on('open', () => { faults.length = 0; show(); compared.clear(); state.textContent = ''; });
    for (const name of ['resize', 'theme']) studio.on(name, () => { if (!host.hidden) compared.redraw(); });
    studio.on('panel', (name) => { if (name === 'faults') compared.redraw(); });
    show();
    return { faults, compared, add };
}
