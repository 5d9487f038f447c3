// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The run panel: settings of a run, past runs, plots, events, energies.
import { fill, h } from './dom.js';
import { askRaw } from './server.js';
import { Explanation } from './explain.js';
import { gesture } from './gestures.js';
import { ledgerPicture } from './ledger.js';
import { parameterFields } from './parameters.js';
import { Playback } from './playback.js';
import { Plots } from './plots.js';
import { counted, plain, quantity, written } from './numbers.js';
import { Run } from './runs.js';
import { Strips } from './strips.js';
import { studio } from './studio.js';
import { drawXY } from './xy.js';

const SOLVERS = ['', 'auto', 'bdf', 'adams', 'erk', 'euler', 'heun', 'ode3', 'rk4', 'trapezoidal'];
const KEPT = 6; // runs on top of each other

/** Offers a file to be saved. */
export function offer(name, blob) {
    const link = h('a', { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** The experiments of the model, in a panel. */
export function experimentPicker(panel) {
    const select = h('select', { 'aria-label': 'Experiment', class: 'experiment' });
    const show = () => {
        const experiments = studio.listed?.experiments ?? [], before = select.value;
        fill(select, experiments.map(({ name, doc }) => h('option', { value: name, title: doc }, name)));
        if (experiments.length === 0) fill(select, h('option', { value: '' }, 'no experiment'));
        if (experiments.some(({ name }) => name === before)) select.value = before;
    };
    studio.onCheck(panel, show);
    return select;
}

function settings() {
    const field = (name, label, title, more = {}) => h('label', { title }, label, h('input', { type: 'text', name, spellcheck: 'false', autocomplete: 'off', ...more }));
    const form = h('form', { class: 'settings', onsubmit: (event) => event.preventDefault() },
        h('label', { title: 'Empty: as the experiment says' }, 'Solver', h('select', { name: 'solver' }, SOLVERS.map((name) => h('option', { value: name }, name || 'as the experiment says')))),
        field('rtol', 'Relative tolerance', '1e-6 if empty', { placeholder: '1e-6', inputmode: 'decimal' }), field('atol', 'Absolute tolerance', 'By the size of each state if empty', { placeholder: 'by size', inputmode: 'decimal' }),
        field('stop', 'Stop', '0.2, or 600 [us], or 5*R1*C1', { placeholder: 'experiment' }), field('step', 'Step', 'Of a fixed-step solver; the largest of the others', { placeholder: 'experiment' }),
        field('every', 'Row every', 'If empty, a row for every step', { placeholder: 'experiment' }), field('records', 'Record', 'Instead of what the experiment records: i_coil, node.e, 2*coil.p', { placeholder: 'experiment' }),
        field('seed', 'Seed', 'Of the noise of sensors, and of random choices', { placeholder: '1', inputmode: 'numeric' }),
        field('choose', 'Choose', 'What the model leaves open: least, greatest, random, or contact=0.5,0.9; parts by semicolons', { placeholder: 'as the model says' }),
        h('label', { class: 'check' }, h('input', { type: 'checkbox', name: 'rest' }), 'Contacts come to rest where events accumulate'),
        h('label', { class: 'check' }, h('input', { type: 'checkbox', name: 'slides' }), 'Slide along a surface instead of chattering'));
    const values = () => {
        const data = Object.fromEntries(new FormData(form)), made = {};
        for (const name of ['solver', 'stop', 'step', 'every', 'records']) if (data[name]?.trim()) made[name] = data[name].trim();
        const choose = data.choose?.split(';').map((one) => one.trim()).filter(Boolean) ?? [];
        if (choose.length) made.choose = choose;
        for (const name of ['rtol', 'atol', 'seed']) if (Number(data[name]) > 0) made[name] = Number(data[name]);
        for (const name of ['rest', 'slides']) if (data[name]) made[name] = true;
        return made;
    };
    return { form, values };
}

/** The choices that the model leaves open, and those of the run. */
function choicesOf(choices) {
    if (choices.length === 0) return null;
    return h('table', { class: 'chosen' }, h('caption', {}, 'What the model leaves open, and what was chosen'), h('tbody', {}, choices.map(({ name, least, greatest, values }) => h('tr', {},
        h('th', { scope: 'row' }, name), h('td', { class: 'number' }, `${plain(least)} .. ${plain(greatest)}`), h('td', { class: 'number' }, values.slice(0, 12).map((value) => plain(value, 4)).join(', '), values.length > 12 ? ' …' : '')))));
}

export function createRun(host) {
    const runs = [];
    let current = null, xName = 'time', pending = false;
    const experiment = experimentPicker('run');
    const parameters = parameterFields('run');
    const solver = settings();
    const go = h('button', { type: 'button', class: 'primary', title: 'Ctrl+Enter', onclick: () => begin() }, 'Run');
    const stop = h('button', { type: 'button', disabled: true, onclick: () => current?.stopIt() }, 'Stop');
    const progress = h('progress', { max: 1, value: 0, 'aria-label': 'Progress' });
    const state = h('span', { class: 'note state', role: 'status' });
    const list = h('ul', { class: 'runs', 'aria-label': 'Runs' });
    const graphs = h('div', { class: 'graphs' });
    const xy = h('canvas', { class: 'xy', hidden: true });
    const events = h('div', { class: 'event-line' });
    const about = h('aside', { class: 'explanation', 'aria-label': 'Explanation of an event', hidden: true });
    const energy = h('div', { class: 'energy' });
    const xPicker = h('select', { 'aria-label': 'Horizontal axis', onchange: (event) => { xName = event.target.value; show(); } }, h('option', { value: 'time' }, 'over time'));
    const curves = h('details', { class: 'menu' }, h('summary', {}, 'Curves'), h('div', { class: 'menu-body' }));
    const explanation = new Explanation(about);
    const playback = new Playback(about, (t) => plots.point(t));
    const strips = new Strips(events, (event) => { playback.pause(); explanation.show(event); });
    const plots = new Plots(graphs, { view: (...view) => strips.look(...view) });

    const toggle = (label, key) => h('label', { class: 'check' }, h('input', { type: 'checkbox', onchange: (event) => { plots.setLog(key, event.target.checked); show(); } }), label);
    const saveAs = h('select', { 'aria-label': 'Save the last run as', onchange: () => { save(saveAs.value); saveAs.value = ''; } },
        h('option', { value: '' }, 'Save as…'), ['csv', 'h5', 'mat', 'svg', 'png'].map((format) => h('option', { value: format }, { csv: 'CSV', h5: 'HDF5', mat: 'MATLAB', svg: 'SVG', png: 'PNG' }[format])));

    const tools = h('div', { class: 'bar tools' }, list, h('span', { class: 'gap' }), xPicker, curves, toggle('log x', 'logX'), toggle('log y', 'logY'), h('button', { type: 'button', title: 'Show all of the time (double click)', onclick: () => plots.reset() }, 'All'));
    const nothing = h('p', { class: 'note' });
    fill(host,
        h('div', { class: 'bar' }, experiment, go, stop, progress, state, h('span', { class: 'gap' }), saveAs),
        h('div', { class: 'folds' }, h('details', { class: 'fold', open: false }, h('summary', {}, 'Parameters'), parameters.element),
            h('details', { class: 'fold' }, h('summary', {}, 'Solver and times'), solver.form)),
        tools, nothing, h('div', { class: 'run-body' }, h('div', { class: 'pictures' }, graphs, xy, playback.element, events, energy), about));

    const asked = () => studio.asked({ experiment: experiment.value, parameters: parameters.changed(), ...solver.values() });

    const showCurves = (run) => {
        const names = run.columns.slice(1).map((column) => column.name);
        if (curves.dataset.names === names.join()) return;
        curves.dataset.names = names.join();
        const wanted = new Set(names.slice(0, 24));
        plots.wanted = wanted;
        fill(curves.lastElementChild, names.map((name) => h('label', { class: 'check' }, h('input', { type: 'checkbox', checked: wanted.has(name), onchange: (event) => {
            if (event.target.checked) wanted.add(name); else wanted.delete(name);
            plots.show(runs);
        } }), name)));
        fill(xPicker, h('option', { value: 'time' }, 'over time'), names.map((name) => h('option', { value: name }, `over ${name}`)));
        xName = 'time';
    };
    const show = () => {
        const overTime = xName === 'time';
        graphs.hidden = !overTime;
        xy.hidden = overTime;
        if (overTime) plots.show(runs);
        else drawXY(xy, runs.filter((run) => run.shown), xName, plots);
        const latest = runs.findLast((run) => run.shown) ?? null;
        strips.show(latest, plots.view);
        playback.show(latest);
    };
    /** Before the first run: what can be done. */
    const showNothing = () => {
        tools.hidden = runs.length === 0;
        nothing.hidden = runs.length > 0;
        const without = studio.listed !== null && studio.listed.experiments.length === 0;
        fill(nothing, without ? ['The model has no experiment: a run needs one, or a stop under “Solver and times”. ', h('button', { type: 'button', onclick: () => gesture({ gesture: 'experiment', other: 'first', text: 'stop 1 [s]' }) }, 'Write one')]
            : 'Run (Ctrl+Enter) draws the curves of the experiment here, with its events under them.');
    };
    const showList = () => { showNothing(); fill(list, runs.map((run, i) => h('li', { class: run === runs.at(-1) ? 'latest' : '' },
        h('label', { class: 'check', title: run.label }, h('input', { type: 'checkbox', checked: run.shown, onchange: (event) => { run.shown = event.target.checked; show(); } }), h('i', { class: `dash dash-${(runs.length - 1 - i) % 4}` }), run.label),
        h('button', { type: 'button', class: 'quiet', 'aria-label': `Forget ${run.label}`, onclick: () => { runs.splice(runs.indexOf(run), 1); showList(); show(); } }, '✕')))); };
    const showState = (run) => {
        progress.value = run.state === 'running' ? (run.stop > 0 ? run.t / run.stop : 0) : run.state === 'finished' ? 1 : progress.value;
        const words = { running: () => `${quantity(run.t, 's', 4)} of ${quantity(run.stop, 's', 4)}, ${run.count} rows`, finished: () => `${counted(run.count, 'row')}, ${counted(run.events.length, 'event')}, ${run.result.report.solver.name}` };
        state.textContent = words[run.state]?.() ?? (run.result ? run.result.error ?? run.result.reason ?? run.state : run.state);
        state.dataset.kind = run.state === 'failed' || run.state === 'not finished' ? 'error' : '';
    };
    const changed = (run) => {
        if (pending) return;
        pending = true;
        requestAnimationFrame(() => {
            pending = false;
            if (run.columns.length) showCurves(run);
            showState(run);
            show();
        });
    };
    const end = (run) => {
        stop.disabled = true;
        go.disabled = false;
        changed(run);
        fill(energy, choicesOf(run.result.report?.choices ?? []), run.result.report?.ledger ? ledgerPicture(run.result.report.ledger) : null);
        if (run.result.diagnostics?.diagnostics?.length) studio.say(run.result.diagnostics.diagnostics[0].message, 'error');
        else if (run.result.error || run.result.reason) studio.say(run.result.error ?? run.result.reason, run.state === 'finished' ? 'warning' : 'error');
        host.dataset.state = run.state;
    };
    const start = async (question, label) => {
        current = new Run(question, label);
        current.number = (runs.at(-1)?.number ?? 0) + 1;
        current.label = `${current.number} ${label}`;
        runs.push(current);
        if (runs.length > KEPT) runs.shift();
        go.disabled = true;
        stop.disabled = false;
        host.dataset.state = 'running';
        explanation.clear();
        fill(energy);
        showList();
        end(await current.start(changed));
    };
    const begin = () => {
        if (go.disabled || studio.path === null) return;
        const question = asked(), { solver, rtol, stop: end, step } = question;
        const changes = [...question.parameters, solver, rtol && `rtol ${rtol}`, step && `step ${step}`, end && `stop ${end}`].filter(Boolean);
        start(question, [question.experiment, ...changes].join(', '));
    };
    const save = async (format) => {
        if (!format) return;
        const last = runs.at(-1), question = { ...(last?.asked ?? asked()) };
        if (last?.state === 'running') return studio.say('Wait for the end of the run, or stop it: then it can be saved.', 'warning');
        if (last?.state === 'interrupted' && last.count > 0) question.stop = written(last.time()[last.count - 1], 's'); // as far as it got
        studio.say('The run is made again for the file…');
        try {
            const answer = await askRaw('save', { ...question, format });
            const [model] = studio.path.split('/').pop().split('.');
            offer(`${model}-${question.experiment || 'run'}.${format}`, await answer.blob());
            studio.say(`Saved as ${format}.`);
        } catch (error) {
            studio.say(error.answer?.diagnostics?.diagnostics?.[0]?.message ?? error.message, 'error');
        }
    };
    addEventListener('keydown', (event) => {
        if (!(event.ctrlKey || event.metaKey) || event.key !== 'Enter') return;
        event.preventDefault();
        if (host.hidden) studio.emit('show panel', 'run');
        begin();
    });
    for (const name of ['resize', 'theme']) studio.on(name, () => { if (!host.hidden) { plots.key = ''; show(); } });
    studio.onCheck('run', showNothing);
    studio.on('panel', (name) => { if (name === 'run') { showNothing(); show(); } });
    studio.on('open', () => { runs.length = 0; explanation.clear(); fill(energy); state.textContent = ''; progress.value = 0; showList(); show(); });
    studio.on('run with', ({ label, ...question }) => {
        studio.emit('show panel', 'run');
        start(question, label ?? question.experiment);
    });
    return { runs, plots, strips, playback };
}
