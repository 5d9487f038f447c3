// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The frame of the page: bar, files, text on the left, panels on the right, status line; and the keys.
import { fill, h } from './dom.js';
import { on } from './server.js';
import { askButtons, askText } from './dialog.js';
import { bare } from './edits.js';
import { begin, chooseModel, open, refreshFiles, save, studio } from './studio.js';

const EMPTY = `model NewModel "what it is" {
    Se source(1 [V]);
    R load(1 [Ohm]);
    1 loop;

    source -> loop -> load;

    experiment first {
        stop 1 [s];
        record loop.f;
    }
}
`;

function themeButton() {
    const names = { auto: 'Theme: as the system', light: 'Theme: light', dark: 'Theme: dark' };
    const order = Object.keys(names);
    let theme = localStorage.getItem('hbg-theme') ?? 'auto';
    const button = h('button', { type: 'button', class: 'quiet', onclick: () => set(order[(order.indexOf(theme) + 1) % 3]) });
    const set = (name) => {
        theme = name;
        localStorage.setItem('hbg-theme', name);
        document.documentElement.dataset.theme = name;
        button.textContent = { auto: '◐', light: '☀', dark: '☾' }[name];
        button.title = names[name];
        button.setAttribute('aria-label', names[name]);
        studio.emit('theme');
    };
    set(order.includes(theme) ? theme : 'auto');
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => studio.emit('theme'));
    return button;
}

async function leaveFile() {
    if (!studio.isDirty()) return true;
    const choice = await askButtons('The file has changes that are not saved.', h('p', {}, studio.path), [
        { name: 'save', label: 'Save them', kind: 'primary' }, { name: 'drop', label: 'Drop them', kind: 'danger' }, { name: 'stay', label: 'Stay' }]);
    if (choice === 'save') await save();
    return choice === 'drop' || (choice === 'save' && !studio.isDirty());
}

export async function openFile(path) {
    if (path === studio.path || !(await leaveFile())) return;
    try {
        await open(path);
    } catch (error) {
        studio.say(error.message, 'error');
    }
}

/** Goes to a place of another file, if that is below the opened folder. */
async function goTo({ path, line, there }) {
    if (!studio.files.includes(path)) return studio.say(`That is in ${path}${line ? `, line ${line}` : ''}, which is not in the opened folder.`, 'warning');
    await openFile(path);
    if (studio.path === path) there();
}

async function newFile() {
    const path = await askText('New model', 'Name of the file, below the opened folder', 'new.hbg', (name) =>
        !/\.hbg$/.test(name) ? 'The name has to end in .hbg.' : studio.files.includes(name) ? 'There is such a file already.' : '');
    if (path && (await leaveFile())) begin(path, EMPTY);
}

function filePicker() {
    const search = h('input', { type: 'search', placeholder: 'Find a model…', 'aria-label': 'Find a model', oninput: () => show() });
    const list = h('ul', { class: 'files', 'aria-label': 'Models' });
    const count = h('p', { class: 'note' });
    const show = () => {
        const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
        const found = studio.files.filter((path) => words.every((word) => path.toLowerCase().includes(word)));
        fill(list, found.slice(0, 400).map((path) => {
            const slash = path.lastIndexOf('/');
            return h('li', {}, h('button', { type: 'button', class: path === studio.path ? 'file current' : 'file', title: path, 'aria-current': path === studio.path ? 'true' : null, onclick: () => openFile(path) },
                h('span', { class: 'name' }, path.slice(slash + 1)), slash > 0 && path.slice(0, slash).split('/').pop() !== path.slice(slash + 1, -4) ? h('span', { class: 'folder' }, path.slice(0, slash)) : null));
        }));
        count.textContent = found.length > 400 ? `${found.length} models, of which 400 are shown` : '';
    };
    studio.on('open', show);
    studio.on('files', show);
    return { element: h('nav', { class: 'side', 'aria-label': 'Files' }, h('div', { class: 'bar' }, search, h('button', { type: 'button', title: 'New model', 'aria-label': 'New model', onclick: newFile }, '+')), list, count), show };
}

/** Selects the model, if the file has several. */
function modelPicker() {
    const select = h('select', { 'aria-label': 'Model', hidden: true, onchange: () => chooseModel(select.value) });
    studio.on('check', () => {
        const models = [...bare(studio.text()).matchAll(/^[ \t]*model\s+([A-Za-z_]\w*)/gm)].map(([, name]) => name);
        select.hidden = models.length < 2;
        fill(select, models.map((name) => h('option', { value: name }, name)));
        if (studio.model && models.length && !models.includes(studio.model)) chooseModel(null);
        select.value = studio.model ?? models[0] ?? '';
    });
    studio.on('open', () => { select.hidden = true; });
    return select;
}

function statusLine() {
    const message = h('span', { class: 'message', role: 'status' });
    const problems = h('button', { type: 'button', class: 'counts quiet', title: 'Go to the first one', onclick: () => {
        const first = studio.diagnostics.find((diagnostic) => studio.isOpenFile(diagnostic.file));
        document.body.classList.remove('no-text'); // where all of them are listed
        if (first) studio.editor.revealProblem(first);
    } });
    const link = h('span', { class: 'link' });
    let timer;
    studio.on('say', ({ text, kind }) => {
        message.textContent = text;
        message.dataset.kind = kind;
        clearTimeout(timer);
        if (kind === 'info') timer = setTimeout(() => { message.textContent = ''; }, 8000);
    });
    const count = () => {
        const errors = studio.diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length;
        const warnings = studio.diagnostics.length - errors;
        problems.textContent = studio.path === null ? '' : errors + warnings === 0 ? '✓ no problems' : `${errors} error${errors === 1 ? '' : 's'}, ${warnings} warning${warnings === 1 ? '' : 's'}`;
        problems.dataset.kind = errors ? 'error' : warnings ? 'warning' : 'fine';
    };
    studio.on('check', count);
    studio.on('open', count);
    on('hello', () => { link.textContent = ''; document.body.classList.remove('away'); });
    on('away', () => { link.textContent = '⚠ the server is away; trying again'; document.body.classList.add('away'); });
    return h('footer', { class: 'status' }, problems, message, link);
}

/** A bar between two columns that can be dragged, and moved with the arrow keys. */
function splitter(main) {
    const set = (share) => {
        const value = Math.min(0.75, Math.max(0.2, share));
        main.style.setProperty('--text-share', String(value));
        bar.setAttribute('aria-valuenow', String(Math.round(100 * value)));
        studio.emit('resize');
        return value;
    };
    let share = 0.4;
    const bar = h('div', { class: 'splitter', role: 'separator', tabindex: '0', 'aria-orientation': 'vertical', 'aria-label': 'Width of the text', 'aria-valuemin': '20', 'aria-valuemax': '75',
        onkeydown: (event) => {
            if (event.key === 'ArrowLeft') share = set(share - 0.03);
            if (event.key === 'ArrowRight') share = set(share + 0.03);
        },
        onpointerdown: (event) => {
            const box = main.getBoundingClientRect(), left = main.firstElementChild.getBoundingClientRect();
            bar.setPointerCapture(event.pointerId);
            bar.onpointermove = (at) => { share = set((at.clientX - left.right) / (box.right - left.right)); };
            bar.onpointerup = () => { bar.onpointermove = null; };
        } });
    queueMicrotask(() => set(share));
    return bar;
}

/** Puts the frame up. `panels`: [{ name, label, create(host) }]. */
export function createShell(root, panels, createEditor) {
    const title = h('span', { class: 'path' });
    const dirty = h('span', { class: 'dirty', title: 'Not saved' });
    const files = filePicker();
    const tabs = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Panels' });
    const bodies = new Map();
    let current = null;
    const show = (name, focus = false) => {
        current = name;
        for (const tab of tabs.children) {
            const on = tab.dataset.panel === name;
            tab.setAttribute('aria-selected', String(on));
            tab.tabIndex = on ? 0 : -1;
            if (on && focus) tab.focus();
        }
        for (const [key, body] of bodies) body.hidden = key !== name;
        studio.panel = name;
        studio.emit('panel', name);
    };
    const right = h('section', { class: 'right' }, tabs);
    for (const panel of panels) {
        const body = h('div', { class: `panel ${panel.name}`, role: 'tabpanel', id: `panel-${panel.name}`, 'aria-labelledby': `tab-${panel.name}`, hidden: true });
        bodies.set(panel.name, body);
        tabs.append(h('button', { type: 'button', role: 'tab', id: `tab-${panel.name}`, 'data-panel': panel.name, 'aria-controls': body.id, title: `Alt+${panels.indexOf(panel) + 1}`, onclick: () => show(panel.name),
            onkeydown: (event) => {
                const at = panels.findIndex((other) => other.name === current), step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
                if (step) show(panels[(at + step + panels.length) % panels.length].name, true);
            } }, panel.label));
        right.append(body);
    }
    const editor = h('div', { class: 'editor' });
    const problems = h('div', { class: 'problem-area' });
    const left = h('section', { class: 'left', 'aria-label': 'Text' }, editor, problems);
    const main = h('main', {}, files.element, left, right);
    const toggle = (name) => { document.body.classList.toggle(`no-${name}`); studio.emit('resize'); };
    const button = (label, text, action) => h('button', { type: 'button', class: 'quiet', title: label, onclick: action }, text);
    fill(root, h('header', { class: 'top' },
        h('span', { class: 'brand' }, h('img', { src: 'icon.svg', alt: '', width: '22', height: '22' }), 'hbg studio'),
        button('Files (Ctrl+Shift+B)', 'Files', () => toggle('files')), button('Text (Ctrl+B)', 'Text', () => toggle('text')),
        title, dirty, modelPicker(), h('span', { class: 'gap' }), h('button', { type: 'button', class: 'save', title: 'Ctrl+S', onclick: () => save() }, 'Save'), themeButton()),
    main, statusLine());
    main.insertBefore(splitter(main), right);
    studio.editor = createEditor(editor, problems);
    for (const panel of panels) panel.create(bodies.get(panel.name));

    const showTitle = () => {
        title.textContent = studio.path ?? '';
        dirty.textContent = studio.isDirty() ? '●' : '';
        document.title = `${studio.isDirty() ? '● ' : ''}${studio.path ?? 'hbg studio'}`;
    };
    for (const name of ['open', 'text', 'saved']) studio.on(name, showTitle);
    studio.on('show panel', (name) => show(name));
    studio.on('go to', goTo);
    addEventListener('beforeunload', (event) => { if (studio.isDirty()) event.preventDefault(); });
    addEventListener('keydown', (event) => {
        const command = (event.ctrlKey || event.metaKey) && !event.altKey, number = Number(event.key);
        if (command && event.key === 's') save();
        else if (command && event.key.toLowerCase() === 'b') toggle(event.shiftKey ? 'files' : 'text');
        else if (event.altKey && !event.ctrlKey && number >= 1 && number <= panels.length) show(panels[number - 1].name, true);
        else if (event.altKey && !event.ctrlKey && event.key === '0') studio.editor.focus();
        else return;
        event.preventDefault();
    });
    addEventListener('resize', () => studio.emit('resize'));
    show(panels[0].name);
    return { show };
}

/** Opens the file named by the command, or the only model. */
export async function openFirst() {
    const { open: wanted, files, folder } = await refreshFiles();
    studio.emit('files');
    if (files.length <= 1 || (wanted && innerWidth < 1500)) document.body.classList.add('no-files'); // room for the requested file
    const name = folder.split('/').pop();
    const first = wanted ?? files.find((path) => path === `${name}.hbg`) ?? (files.length === 1 ? files[0] : null) ?? files.find((path) => path.endsWith('diode-inductor.hbg')) ?? files[0];
    if (first && files.includes(first)) await openFile(first);
    else if (first) begin(first, EMPTY);
    else begin('new.hbg', EMPTY);
}
