// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Possible ends of a bond. The drawing has the kind of each object, the number of its bonds and their domain.

const ONE_PORTS = new Set(['R', 'C', 'I', 'Se', 'Sf']);

const linksOf = (svg, path) => [...svg.querySelectorAll('g.link')].filter((link) => link.getAttribute('data-from') === path || link.getAttribute('data-to') === path);

/** Ports of a component without a bond yet: [{ name, domain }]. */
export function freePorts(group) {
    return (group.getAttribute('data-ports') ?? '').split(' ').filter(Boolean).map((text) => {
        const [name, domain, state] = text.split(':');
        return { name, domain, free: state === 'free' };
    }).filter((port) => port.free);
}

function domainOf(svg, group) {
    const domains = linksOf(svg, group.getAttribute('data-path')).map((link) => link.getAttribute('data-domain')).filter((domain) => domain !== 'any');
    return domains[0] ?? 'any';
}

/** Ends a bond may have at an object: [{ end, domain }]; empty, with a reason, if none is free. */
export function endsOf(svg, group) {
    const path = group.getAttribute('data-path'), kind = group.getAttribute('data-kind');
    if (kind === 'component') {
        const ports = freePorts(group);
        return { ends: ports.map(({ name, domain }) => ({ end: `${path}.${name}`, domain })), reason: ports.length ? '' : `all ports of ${path} have their bonds` };
    }
    const count = linksOf(svg, path).length;
    if (ONE_PORTS.has(kind) && count > 0) return { ends: [], reason: `${path} has its bond already` };
    if ((kind === 'TF' || kind === 'GY') && count > 1) return { ends: [], reason: `both ports of ${path} have their bonds` };
    return { ends: [{ end: path, domain: kind === 'TF' || kind === 'GY' ? 'any' : domainOf(svg, group) }], reason: '' };
}

const agree = (a, b) => a === 'any' || b === 'any' || a === b;

/** The pairs of ends between two objects that fit, or why none does. */
export function fits(svg, from, to) {
    if (from === to) return { pairs: [], reason: 'a bond leads to something else' };
    const a = endsOf(svg, from), b = endsOf(svg, to);
    if (!a.ends.length || !b.ends.length) return { pairs: [], reason: a.reason || b.reason };
    const pairs = a.ends.flatMap((x) => b.ends.map((y) => [x, y])).filter(([x, y]) => agree(x.domain, y.domain));
    return { pairs, reason: pairs.length ? '' : `${a.ends[0].domain} here, ${b.ends[0].domain} there` };
}
