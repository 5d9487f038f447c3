// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Elements of the page. Texts become text nodes, never markup: what a model says cannot become anything else.

const SVG = 'http://www.w3.org/2000/svg';

function put(element, attributes, children) {
    for (const [key, value] of Object.entries(attributes ?? {})) {
        if (value === undefined || value === null || value === false) continue;
        if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
        else if (key === 'class') element.setAttribute('class', value);
        else if (key === 'value' || key === 'checked' || key === 'disabled' || key === 'hidden') element[key] = value;
        else element.setAttribute(key, value === true ? '' : value);
    }
    element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
    return element;
}

/** An element of HTML: h('p', { class: 'note' }, 'some ', h('b', {}, 'words')). */
export function h(tag, attributes, ...children) {
    return put(document.createElement(tag), attributes, children);
}

/** An element of SVG. */
export function s(tag, attributes, ...children) {
    return put(document.createElementNS(SVG, tag), attributes, children);
}

/** Replaces all children. */
export function fill(element, ...children) {
    element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
    return element;
}

const ALLOWED = new Set(['svg', 'g', 'defs', 'desc', 'title', 'path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text',
    'tspan', 'marker', 'clipPath', 'pattern', 'linearGradient', 'stop', 'use']);

function isHarmless(attribute) {
    const name = attribute.name.toLowerCase();
    if (name.startsWith('on') || name === 'style') return false;
    if (name === 'href' || name === 'xlink:href') return attribute.value.startsWith('#');
    return !/url\s*\(\s*['"]?(?!#)/i.test(attribute.value);
}

const sheets = new Map();

/** Rules of a drawing count inside drawings only. */
function adopt(rules) {
    if (!rules || sheets.has(rules)) return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`svg.drawing {${rules}}`);
    sheets.set(rules, sheet);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** A drawing of the server as elements: shapes and text only, whatever it says. */
export function drawing(text) {
    const rules = [];
    const bare = text.replace(/<style>([^<]*)<\/style>/g, (_, found) => { rules.push(found); return ''; });
    const root = new DOMParser().parseFromString(bare, 'image/svg+xml').documentElement;
    if (root.localName !== 'svg') return h('p', { class: 'note' }, 'The drawing cannot be shown.');
    for (const element of [...root.querySelectorAll('*')]) {
        if (!ALLOWED.has(element.localName)) element.remove();
        else for (const attribute of [...element.attributes]) if (!isHarmless(attribute)) element.removeAttributeNode(attribute);
    }
    adopt(rules.join('\n'));
    const shown = document.importNode(root, true);
    shown.classList.add('drawing');
    return shown;
}

/** The number that style sheets made at run time carry. */
export function nonce() {
    return document.body.dataset.nonce;
}
