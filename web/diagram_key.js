// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The meaning of the marks on the drawing: the page requests drawings without a legend, since marks change while the drawing stays.
import { fill, h } from './dom.js';

const WORDS = {
    conflict: 'bonds that contradict each other', loose: 'floating or shared: only parasitics would decide', dependent: 'dependent storage (derivative causality)', off: 'junction off',
    fixed: 'stroke that is the same in every mode', changed: 'differs from the previous mode',
};
const WHERE = { loose: 'path.loose', dependent: 'rect.dependent', off: 'circle.off', fixed: 'path.stroke.fixed:not(.hidden)' };

export function createKey() {
    const element = h('p', { class: 'key', 'aria-label': 'What marks mean', hidden: true });
    /** The key of a drawing; null: there is no drawing. */
    const show = (svg) => {
        const found = Object.keys(WORDS).filter((name) => svg?.querySelector(WHERE[name] ?? `.${name}`) && (name !== 'fixed' || svg.querySelector('path.stroke:not(.fixed):not(.hidden)')));
        if (element.dataset.shown === found.join()) return;
        element.dataset.shown = found.join();
        element.hidden = found.length === 0;
        fill(element, found.map((name) => h('span', {}, h('i', { class: `key-${name}` }), WORDS[name])));
    };
    return { element, show };
}
