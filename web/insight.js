// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// More of the language service in the text: hints between the words (units, domains and causal strokes that hbg found), the signature of the call being written, and by key: Shift-F12 marks the uses of a name, Ctrl-Shift-O goes to an object by its name.
import { EditorSelection, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, keymap, showTooltip, WidgetType } from '@codemirror/view';
import { askFromList } from './dialog.js';
import { command, offsetOf, placeOf, question } from './language.js';
import { h } from './dom.js';
import { studio } from './studio.js';

const PAUSE = 300; // ms without a key before hints are requested

// ---- hints -------------------------------------------------------------------------------------------------

class Hint extends WidgetType {
    constructor({ label, tooltip }) {
        super();
        Object.assign(this, { label, tooltip });
    }

    eq(other) {
        return other.label === this.label;
    }

    toDOM() {
        return h('span', { class: 'inlay', title: this.tooltip, 'aria-hidden': 'true' }, this.label);
    }
}

const hinted = StateEffect.define();

const hints = StateField.define({
    create: () => Decoration.none,
    update(value, transaction) {
        for (const effect of transaction.effects) if (effect.is(hinted)) return effect.value;
        return value.map(transaction.changes);
    },
    provide: (field) => EditorView.decorations.from(field),
});

export async function hintText(view) {
    const doc = view.state.doc;
    const { result } = await question('textDocument/inlayHint', { range: { start: { line: 0, character: 0 }, end: placeOf(doc, doc.length) } }).catch(() => ({}));
    if (!result || view.state.doc !== doc) return;
    view.dispatch({ effects: hinted.of(Decoration.set(result.map((hint) => Decoration.widget({ widget: new Hint(hint), side: 1 }).range(offsetOf(doc, hint.position))), true)) });
}

// ---- signature ---------------------------------------------------------------------------------------------

const signed = StateEffect.define();

const signature = StateField.define({
    create: () => null,
    update(value, transaction) {
        for (const effect of transaction.effects) if (effect.is(signed)) return effect.value;
        return value && transaction.docChanged ? { ...value, pos: transaction.changes.mapPos(value.pos) } : value;
    },
    provide: (field) => showTooltip.from(field),
});

function toTooltip({ signatures, activeSignature, activeParameter }, pos) {
    const { label, parameters } = signatures[activeSignature ?? 0], active = parameters?.[activeParameter ?? 0];
    const at = active ? label.indexOf(active.label) : -1;
    const words = at < 0 ? [label] : [label.slice(0, at), h('b', {}, active.label), label.slice(at + active.label.length)];
    return { pos, above: true, create: () => ({ dom: h('div', { class: 'hover signature' }, h('code', {}, words), active?.documentation ? h('p', {}, active.documentation) : null) }) };
}

async function showSignature(view) {
    const doc = view.state.doc, pos = view.state.selection.main.head;
    const { result } = await question('textDocument/signatureHelp', { position: placeOf(doc, pos) }).catch(() => ({}));
    if (view.state.doc !== doc || view.state.selection.main.head !== pos) return;
    view.dispatch({ effects: signed.of(result?.signatures?.length ? toTooltip(result, pos) : null) });
}

const hideSignature = (view) => {
    if (!view.state.field(signature)) return false;
    view.dispatch({ effects: signed.of(null) });
    return true;
};

/** Typing opens the signature, and further typing or moving keeps it right. */
function follow(update) {
    let opens = false;
    update.changes.iterChanges((fromA, toA, fromB, toB, inserted) => { opens = opens || /[(,]/.test(inserted.toString()); });
    const typed = update.transactions.some((transaction) => transaction.isUserEvent('input'));
    if ((opens && typed) || ((update.docChanged || update.selectionSet) && update.state.field(signature))) showSignature(update.view);
}

// ---- by key ------------------------------------------------------------------------------------------------

async function references(view) {
    const doc = view.state.doc, position = placeOf(doc, view.state.selection.main.head);
    const { uri, result } = await question('textDocument/references', { position, context: { includeDeclaration: true } });
    const own = (result ?? []).filter((place) => place.uri === uri);
    if (!own.length) throw new Error('There is no name here that is used anywhere.');
    const ranges = own.map(({ range }) => EditorSelection.range(offsetOf(doc, range.start), offsetOf(doc, range.end)));
    view.dispatch({ selection: EditorSelection.create(ranges), scrollIntoView: true });
    const others = result.length - own.length;
    studio.say(`${own.length} ${own.length === 1 ? 'place' : 'places'} in this file${others ? `, ${others} in others` : ''}.`);
}

async function outline(view) {
    const { result } = await question('textDocument/documentSymbol');
    const all = [], list = (symbols, path) => symbols.forEach((symbol) => { all.push({ ...symbol, path: path + symbol.name }); list(symbol.children ?? [], `${path}${symbol.name}.`); });
    list(result ?? [], '');
    const chosen = await askFromList('Go to', all.map(({ path, detail }) => ({ label: path, detail })));
    if (chosen !== null) studio.editor.reveal(all[chosen].selectionRange.start.line + 1, all[chosen].selectionRange.start.character + 1);
    else view.focus();
}

/** Everything above, as extensions of an editor. */
export function insight() {
    let waiting;
    return [
        hints, signature,
        EditorView.updateListener.of((update) => {
            if (update.docChanged || update.selectionSet) follow(update);
            if (!update.docChanged) return;
            clearTimeout(waiting);
            waiting = setTimeout(() => hintText(update.view), PAUSE);
        }),
        keymap.of([{ key: 'Shift-F12', run: command(references) }, { key: 'Mod-Shift-o', run: command(outline) }, { key: 'Escape', run: hideSignature }]),
    ];
}
