// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Drawings of the server as elements: only shapes and text, whatever they contain. A drawing that changes keeps the elements of unchanged objects: of a thousand objects an edit touches a few, and making all of them again would be most of the cost of a key press.
import { h } from './dom.js';

const ALLOWED = new Set(['svg', 'g', 'defs', 'desc', 'title', 'path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text',
    'tspan', 'marker', 'clipPath', 'pattern', 'linearGradient', 'stop', 'use']);

function isHarmless(attribute) {
    const name = attribute.name.toLowerCase();
    if (name.startsWith('on') || name === 'style') return false;
    if (name === 'href' || name === 'xlink:href') return attribute.value.startsWith('#');
    return !/url\s*\(\s*['"]?(?!#)/i.test(attribute.value);
}

const sheets = new Map();

/** Rules of a drawing apply only inside drawings. */
function adopt(rules) {
    if (!rules || sheets.has(rules)) return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`svg.drawing {${rules}}`);
    sheets.set(rules, sheet);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** The harmless part of a text of SVG; null if it is not SVG. */
function elementsOf(text) {
    const root = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
    if (root.localName !== 'svg') return null;
    for (const element of [...root.querySelectorAll('*')]) {
        if (!ALLOWED.has(element.localName)) element.remove();
        else for (const attribute of [...element.attributes]) if (!isHarmless(attribute)) element.removeAttributeNode(attribute);
    }
    return document.importNode(root, true);
}

/** A drawing as elements. */
export function drawing(text) {
    const rules = [];
    const shown = elementsOf(text.replace(/<style>([^<]*)<\/style>/g, (_, found) => { rules.push(found); return ''; }));
    if (!shown) return h('p', { class: 'note' }, 'The drawing cannot be shown.');
    adopt(rules.join('\n'));
    shown.classList.add('drawing');
    return shown;
}

/** The parts of a drawing for each object and bond, by name, and the rest: { parts: Map, rest }. */
export function partsOf(text) {
    const parts = new Map();
    const rest = text.replace(/<g class="(?:link|node|component)[^"]*"[\s\S]*?\n<\/g>\n/g, (part) => {
        const name = part.slice(0, part.indexOf('>\n')).match(/ data-(?:bond|path)="[^"]*"/)?.[0] ?? '';
        let key = name;
        for (let i = 2; parts.has(key); i++) key = `${name} ${i}`;
        parts.set(key, part);
        return '';
    });
    return { parts, rest };
}

/** A drawing that follows the model. */
export class LiveDrawing {
    constructor() {
        this.clear();
    }

    clear() {
        Object.assign(this, { svg: null, box: null, rest: null, parts: new Map(), groups: new Map() });
    }

    /** Takes a new text: { svg, made }, the present drawing and its new groups; null if it is not a drawing. */
    take(text) {
        const { parts, rest } = partsOf(text);
        if (!this.svg || rest !== this.rest) return this.#anew(text, parts, rest);
        const changed = [...parts].filter(([key, part]) => this.parts.get(key) !== part);
        const fresh = changed.length ? elementsOf(`<svg xmlns="http://www.w3.org/2000/svg">${changed.map(([, part]) => part).join('')}</svg>`) : null;
        const made = fresh ? [...fresh.children] : [];
        if (made.length !== changed.length) return this.#anew(text, parts, rest);
        for (const [key, group] of this.groups) if (!parts.has(key)) { group.remove(); this.groups.delete(key); }
        changed.forEach(([key], i) => {
            this.groups.get(key)?.replaceWith(made[i]);
            this.groups.set(key, made[i]);
        });
        this.#order(parts);
        this.parts = parts;
        return { svg: this.svg, made };
    }

    #anew(text, parts, rest) {
        const svg = drawing(text);
        if (svg.localName !== 'svg') return null;
        const made = [...svg.querySelectorAll('g.link, g.node, g.component')], keys = [...parts.keys()];
        this.box = { width: Number(svg.getAttribute('width')), height: Number(svg.getAttribute('height')) };
        Object.assign(this, { svg, parts, rest: made.length === keys.length ? rest : null, groups: new Map(made.map((group, i) => [keys[i], group])) });
        return { svg, made };
    }

    /** Groups in the order of the text: later ones are on top. */
    #order(parts) {
        const graph = this.svg.querySelector('g.graph');
        let at = graph.querySelector(':scope > g');
        for (const key of parts.keys()) {
            const group = this.groups.get(key);
            if (group === at) at = at.nextElementSibling;
            else graph.insertBefore(group, at);
            if (group.hasAttribute('transform')) group.removeAttribute('transform'); // it was dragged
        }
    }
}
