// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The proof panel: groups of automata and the proofs about them, values that show a flaw, its repair, the phase space, causality over all modes.
import { ask, job } from './server.js';
import { fill, h } from './dom.js';
import { drawing } from './drawing.js';
import { bare, block, insertInto, replaceLines } from './edits.js';
import { modeText } from './diagram.js';
import { plain } from './numbers.js';
import { studio } from './studio.js';

const VERDICTS = { proved: ['✓', 'fine'], violated: ['✗', 'error'], 'not decided': ['?', 'warning'] };

function badge(verdict) {
    const [sign, kind] = VERDICTS[verdict] ?? ['', ''];
    return h('span', { class: `badge ${kind}` }, `${sign} ${verdict}`);
}

/** Another start of an integrator: only its declaration can set it. */
function startAt(text, name, value) {
    const found = new RegExp(`(\\bstate\\s+${name}\\s*=)([^:;]+)(:)`).exec(bare(text));
    if (!found) return text;
    const from = found.index + found[1].length;
    return `${text.slice(0, from)} ${value} ${text.slice(from + found[2].length)}`;
}

/** The place and the mode of a flaw as an experiment, in a copy of the text. */
export function witnessText(text, list, finding) {
    const states = finding.steps?.[0]?.states ?? {};
    const known = new Set([...list.parameters.map(({ name }) => name)]);
    const inputs = new Map(list.signals.filter(({ kind }) => kind === 'input').map((signal) => [signal.name, signal]));
    const integrators = new Set(list.signals.filter(({ kind }) => kind === 'state').map(({ name }) => name));
    const start = [], actions = [];
    for (const { name, value } of finding.values ?? []) {
        if (name === 'time' || name.includes(' ')) continue;
        if (inputs.has(name)) actions.push(`at 0 [s]: ${name} = ${inputs.get(name).type === 'bool' ? String(Boolean(value)) : value};`);
        else if (integrators.has(name)) text = startAt(text, name, value);
        else if (!known.has(name)) start.push(`${name} = ${value}`);
    }
    const sets = [...start, ...Object.entries(states).map(([name, state]) => `${name} = ${state}`)];
    const record = list.signals.filter(({ kind }) => kind === 'output').map(({ name }) => name);
    const storages = (finding.values ?? []).map(({ name }) => name).filter((name) => /\.[pq]$/.test(name));
    const stop = Number(list.experiments[0]?.stop ?? 1) || 1;
    const place = block(text, 'model', list.model);
    if (!place) return null;
    const edit = insertInto(place, ['experiment studio_witness {', `    stop ${stop};`, ...(sets.length ? [`    set ${sets.join(', ')};`] : []), ...actions.map((line) => `    ${line}`), `    record ${[...record, ...storages].join(', ') || storages.join(', ')};`, '}'], text);
    return text.slice(0, edit.from) + edit.insert + text.slice(edit.to);
}

/** Words in which no arrow is broken at the end of a line. */
const whole = (words) => words.split(/(\S+ -> \S+)/).map((part, i) => (i % 2 ? h('span', { class: 'whole' }, part) : part));

function stepList(finding) {
    return h('ol', { class: 'steps' }, (finding.steps ?? []).map((step, i) => h('li', { class: i === finding.back_to ? 'back' : '' },
        h('button', { type: 'button', class: 'link-button', title: 'Show this mode in the diagram', onclick: () => { studio.emit('mode', { mode: step.states, title: modeText(step.states) }); studio.emit('show panel', 'diagram'); } }, modeText(step.states)),
        step.by ? h('span', { class: 'note' }, ' by ', whole(step.by)) : null, i === finding.back_to ? h('b', {}, ' ← here it comes back to') : null)));
}

function repairOffer(repair, prove) {
    if (!repair) return null;
    const own = repair.write && studio.isOpenFile(repair.file);
    return h('div', { class: 'repair' }, h('h4', {}, 'Proved to repair it'), h('pre', { tabindex: '0' }, repair.write ?? `${repair.automaton}: ${repair.condition}`),
        own ? h('button', { type: 'button', class: 'primary', onclick: () => { replaceLines(repair.line, repair.lines, repair.write); studio.say('Written into the text. Ctrl+Z there takes it back.'); prove(); } }, `Write it into line ${repair.line}`) : h('p', { class: 'note' }, `in ${studio.shown(repair.file) ?? 'the model'}${repair.line ? `, line ${repair.line}` : ''}`));
}

function findingView(finding, prove) {
    const runIt = () => {
        const text = witnessText(studio.text(), studio.listed, finding);
        if (!text) return studio.say('The model is not in this file: the witness cannot be run from here.', 'warning');
        studio.emit('run with', { ...studio.asked(), text, experiment: 'studio_witness', parameters: [], label: 'witness' });
    };
    return h('article', { class: finding.wrong ? 'finding wrong' : 'finding' }, h('h4', {}, `${finding.kind}: ${finding.text}`),
        finding.region?.length ? h('p', {}, 'where ', finding.region.map((place, i) => [i ? ' or ' : '', h('code', {}, place)]), finding.region_complete === false ? ', and perhaps elsewhere' : null) : null,
        finding.values?.length ? h('p', {}, 'for example at ', finding.values.map(({ name, value, unit }, i) => [i ? ', ' : '', h('code', {}, `${name} = ${typeof value === 'number' ? plain(value) : value}${unit ? ` ${unit}` : ''}`)])) : null,
        stepList(finding),
        finding.values?.length ? h('button', { type: 'button', onclick: runIt }, 'Run from there') : null,
        repairOffer(finding.repair, prove));
}

function groupView(group, prove) {
    return h('section', { class: 'group' }, h('h3', {}, badge(group.verdict), ' ', group.automata.join(', ')),
        group.coupled?.length ? h('p', { class: 'note' }, `coupled: ${group.coupled.join('; ')}`) : null,
        group.reason ? h('p', {}, group.reason) : null,
        (group.findings ?? []).map((finding) => findingView(finding, prove)),
        h('p', { class: 'note' }, `${group.discrete_states ?? 0} discrete states, ${group.ways ?? 0} ways to a mode, ${group.questions ?? 0} questions to the prover, ${plain(group.seconds ?? 0, 3)} s`));
}

/** Variables that the phase space may have on its axes. */
function axisNames(list) {
    const storages = list.elements.filter(({ kind }) => kind === 'I' || kind === 'C').map(({ name, kind }) => `${name}.${kind === 'I' ? 'p' : 'q'}`);
    const others = list.signals.filter(({ kind, type }) => kind === 'state' || (kind === 'input' && type === 'real')).map(({ name }) => name);
    return [...storages, ...others];
}

function phaseView() {
    const across = h('select', { 'aria-label': 'Horizontal axis' }), upwards = h('select', { 'aria-label': 'Vertical axis' });
    const at = h('input', { type: 'text', placeholder: 'x=0.5, sw=true', spellcheck: 'false', 'aria-label': 'Values of the others' });
    const paper = h('div', { class: 'paper', hidden: true });
    const go = h('button', { type: 'button', onclick: () => draw() }, 'Draw');
    const stop = h('button', { type: 'button', disabled: true, onclick: () => number !== null && ask('stop', { job: number }).catch(() => {}) }, 'Stop');
    let number = null;
    const draw = async () => {
        go.disabled = true;
        stop.disabled = false;
        try {
            const { result } = await job('phase', studio.asked({ axes: `${across.value},${upwards.value}`, at: at.value.split(',').map((one) => one.trim()).filter(Boolean) }), { begun: (id) => { number = id; } });
            paper.hidden = false;
            fill(paper, result.svg ? drawing(result.svg) : h('p', { class: 'note' }, result.diagnostics?.diagnostics?.[0]?.message ?? result.error));
        } catch (error) {
            studio.say(error.message, 'error');
        }
        number = null;
        go.disabled = false;
        stop.disabled = true;
    };
    const show = () => {
        const names = studio.listed ? axisNames(studio.listed) : [], before = [across.value, upwards.value];
        [across, upwards].forEach((select, i) => {
            fill(select, names.map((name) => h('option', { value: name }, name)));
            select.value = names.includes(before[i]) ? before[i] : names[Math.min(i, names.length - 1)] ?? '';
        });
        go.disabled = names.length < 2 || number !== null;
    };
    studio.onCheck('proofs', show);
    studio.on('open', () => { paper.hidden = true; fill(paper); });
    return h('details', { class: 'fold phase' }, h('summary', {}, 'Phase space of the switching'), h('div', { class: 'bar' }, across, upwards, h('label', { class: 'check' }, 'at', at), go, stop), paper);
}

function causalityView() {
    const body = h('div');
    const go = h('button', { type: 'button', onclick: () => decide() }, 'Decide');
    const integral = h('input', { type: 'checkbox' });
    const decide = async () => {
        try {
            const answer = await ask('causality', studio.asked({ all: true, integral: integral.checked }));
            const found = answer.causality;
            if (!found) return fill(body, h('p', { class: 'problem' }, answer.diagnostics?.diagnostics?.[0]?.message ?? answer.error));
            const dependent = found.dependent ?? [];
            fill(body, h('p', {}, badge(found.verdict), found.verdict === 'proved' ? ' every mode that can exist has a valid assignment' : found.mode ? ` not in ${typeof found.mode === 'string' ? found.mode : modeText(found.mode)}` : ''),
                found.conflict?.length ? h('p', {}, 'in conflict: ', h('code', {}, found.conflict.join(', '))) : null,
                dependent.length ? h('table', {}, h('caption', {}, 'Storages that some mode makes dependent'), h('tbody', {}, dependent.map(({ storage, mode }) => h('tr', {}, h('th', { scope: 'row' }, storage), h('td', {}, h('button', { type: 'button', class: 'link-button', onclick: () => { studio.emit('mode', { mode: Object.fromEntries(mode.split(',').filter(Boolean).map((one) => one.split('='))), title: mode }); studio.emit('show panel', 'diagram'); } }, mode)))))) : null);
        } catch (error) {
            studio.say(error.message, 'error');
        }
    };
    studio.on('open', () => fill(body));
    return h('details', { class: 'fold' }, h('summary', {}, 'Causality over all modes'), h('div', { class: 'bar' }, go, h('label', { class: 'check' }, integral, 'refuse derivative causality')), body);
}

export function createProofs(host) {
    const go = h('button', { type: 'button', class: 'primary', onclick: () => prove() }, 'Prove');
    const stop = h('button', { type: 'button', disabled: true, title: 'Results so far are kept', onclick: () => number !== null && ask('stop', { job: number }).catch(() => {}) }, 'Stop');
    let number = null, proved = null; // the text that was proved last
    const timeout = h('input', { type: 'text', inputmode: 'decimal', value: '40', size: '5', 'aria-label': 'Seconds for each group' });
    const verdict = h('span', { class: 'verdict', role: 'status' });
    const groups = h('div', { class: 'groups' });
    const prove = async () => {
        if (go.disabled) return;
        go.disabled = true;
        stop.disabled = false;
        host.dataset.state = 'running';
        proved = studio.text();
        fill(verdict, h('span', { class: 'note' }, 'proving…'));
        try {
            const { result } = await job('verify', studio.asked({ timeout: Number(timeout.value) || 40 }), { begun: (id) => { number = id; }, progress: ({ t, stop: all }) => fill(verdict, h('span', { class: 'note' }, `group ${t + 1} of ${all}`)) });
            show(result);
        } catch (error) {
            fill(verdict, h('span', { class: 'problem' }, error.message));
            host.dataset.state = 'failed';
        }
        number = null;
        go.disabled = false;
        stop.disabled = true;
    };
    const show = ({ proof, error, diagnostics }) => {
        if (!proof) {
            fill(verdict, h('span', { class: 'problem' }, diagnostics?.diagnostics?.[0]?.message ?? error));
            fill(groups);
            host.dataset.state = 'failed';
            return;
        }
        const words = { proved: 'the switching of every instant comes to an end', violated: 'the switching is not consistent', 'not decided': 'the prover could not decide in its time' };
        fill(verdict, badge(proof.verdict), ` ${words[proof.verdict] ?? ''}`);
        fill(groups, (proof.groups ?? []).map((group) => groupView(group, prove)));
        host.dataset.state = proof.verdict;
        showAge();
    };
    const showAge = () => groups.classList.toggle('old', proved !== null && studio.text() !== proved);
    const clear = () => {
        proved = null;
        fill(verdict);
        fill(groups, h('p', { class: 'note' }, 'Proves for all energies that the switching of every instant comes to an end, without a run. What fails is shown with values to run it from, and with its repair.'));
        delete host.dataset.state;
        showAge();
    };
    fill(host, h('div', { class: 'bar' }, go, stop, h('label', { class: 'check' }, timeout, 's for each group'), verdict), groups, phaseView(), causalityView());
    clear();
    studio.on('open', clear);
    studio.on('text', showAge);
    return { prove };
}
