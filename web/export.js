// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The export panel: everything of `hbg export`, into the opened folder.
import { fill, h } from './dom.js';
import { ask } from './server.js';
import { experimentPicker } from './run.js';
import { studio } from './studio.js';

const TARGETS = [
    { name: 'c', label: 'C sources', place: (stem) => `${stem}-c`, about: 'A folder that cc *.c -lm compiles: the model, the engine, a main.' },
    { name: 'fmu', label: 'FMU', place: (stem) => `${stem}.fmu`, about: 'For programs that know the Functional Mock-up Interface.' },
    { name: 'spaceex', label: 'Hybrid automaton', place: (stem) => `${stem}.xml`, about: 'For SpaceEx; the model has to be affine in each of its modes. Settings go beside it, as .cfg.' },
    { name: 'blocks', label: 'Block diagram', place: (stem, as) => `${stem}.${{ json: 'json', xcos: 'sce', simulink: 'm' }[as]}`, about: 'A diagram that reconfigures itself, as JSON, or as a script for Scilab or Simulink. It needs an explicit solver of a fixed step.' },
    { name: 'image', label: 'Image', place: (stem) => `${stem}.hbi`, about: 'The compiled experiment: `hbg run FILE.hbi` runs it where the model is not.' },
];

export function createExport(host) {
    const experiment = experimentPicker('export');
    const place = h('input', { type: 'text', 'aria-label': 'Where to, below the opened folder', spellcheck: 'false' });
    const name = h('input', { type: 'text', 'aria-label': 'Name in the sources', placeholder: 'that of the model', spellcheck: 'false' });
    const about = h('p', { class: 'note' });
    const told = h('pre', { class: 'words', hidden: true, tabindex: '0' });
    const go = h('button', { type: 'button', class: 'primary', onclick: () => write() }, 'Export');
    const option = (label, field) => h('label', { class: 'check' }, field, label);
    const fields = {
        solver: h('input', { type: 'text', placeholder: 'as the experiment says', 'aria-label': 'Solver', spellcheck: 'false' }), step: h('input', { type: 'text', placeholder: 'as the experiment says', 'aria-label': 'Step', spellcheck: 'false' }),
        fmi: h('select', { 'aria-label': 'Version of FMI' }, ['2', '3'].map((version) => h('option', { value: version }, `FMI ${version}.0`))),
        me: h('input', { type: 'checkbox', checked: true }), cs: h('input', { type: 'checkbox', checked: true }), sources: h('input', { type: 'checkbox' }),
        as: h('select', { 'aria-label': 'Block diagram as', onchange: () => suggest() }, [['json', 'JSON'], ['xcos', 'Scilab (Xcos)'], ['simulink', 'Simulink']].map(([value, label]) => h('option', { value }, label))),
    };
    const only = { fmu: h('div', { class: 'bar' }, fields.fmi, option('model exchange', fields.me), option('co-simulation', fields.cs), option('sources only', fields.sources)), blocks: h('div', { class: 'bar' }, fields.as) };
    let target = TARGETS[0];
    const choices = h('div', { class: 'choices', role: 'radiogroup', 'aria-label': 'What to export' }, TARGETS.map((one) => h('label', { class: 'choice' }, h('input', { type: 'radio', name: 'export-target', value: one.name, checked: one === target, onchange: () => { target = one; suggest(); } }), one.label)));
    const stem = () => (studio.path ?? 'model.hbg').replace(/\.hbg$/, '');
    const suggest = () => {
        place.value = target.place(stem(), fields.as.value);
        about.textContent = target.about;
        for (const [key, element] of Object.entries(only)) element.hidden = key !== target.name;
        told.hidden = true;
    };
    const write = async () => {
        go.disabled = true;
        host.dataset.state = 'running';
        const more = target.name === 'fmu' ? { fmi: Number(fields.fmi.value), me: fields.me.checked, cs: fields.cs.checked, 'no binary': fields.sources.checked } : target.name === 'blocks' ? { as: fields.as.value } : {};
        const settings = Object.fromEntries(['solver', 'step'].map((key) => [key, fields[key].value.trim()]).filter(([, value]) => value));
        told.hidden = false;
        try {
            const answer = await ask('export', studio.asked({ experiment: experiment.value, to: target.name, place: place.value.trim(), ...(name.value.trim() ? { name: name.value.trim() } : {}), ...settings, ...more }));
            told.textContent = (answer.told || `wrote ${place.value}`).replaceAll(`${studio.folder}/`, '');
            host.dataset.state = 'finished';
        } catch (error) {
            const diagnostics = error.answer?.diagnostics?.diagnostics ?? [];
            told.textContent = diagnostics.length ? diagnostics.map(({ message, line, help }) => `${line ? `line ${line}: ` : ''}${message}${help ? `\n  ${help}` : ''}`).join('\n') : error.message.replaceAll(`${studio.folder}/`, '');
            host.dataset.state = 'failed';
        }
        told.dataset.kind = host.dataset.state === 'failed' ? 'error' : '';
        go.disabled = false;
    };
    fill(host, choices, about,
        h('div', { class: 'fields' }, h('label', {}, 'Experiment', experiment), h('label', {}, 'To', place), h('label', {}, 'Name', name), h('label', {}, 'Solver', fields.solver), h('label', {}, 'Step', fields.step)),
        only.fmu, only.blocks, h('div', { class: 'bar' }, go), told);
    studio.on('open', suggest);
    suggest();
}
