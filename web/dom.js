// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Elements of the page. Texts become text nodes, never markup, so texts of a model stay texts.

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

/** The nonce of style sheets made at run time. */
export function nonce() {
    return document.body.dataset.nonce;
}
