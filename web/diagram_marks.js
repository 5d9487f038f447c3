// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Strokes, conflicts and states on an existing drawing: only classes are changed.

const set = (element, name, on) => element?.classList.toggle(name, Boolean(on));

const shown = new WeakMap(); // the marks that a group shows: most do not change

/** Whether the marks of a group have to change. */
function isNews(group, mark) {
    const key = JSON.stringify(mark), news = shown.get(group) !== key;
    if (news) shown.set(group, key);
    return news;
}

function markBond(group, mark) {
    if (!isNews(group, mark)) return;
    for (const path of group.querySelectorAll('path')) {
        const stroke = path.classList.contains('stroke');
        set(path, 'conflict', mark.conflict);
        set(path, 'changed', mark.changed);
        set(path, 'loose', mark.loose && !stroke);
        set(path, 'fixed', mark.fixed && stroke);
        if (stroke) set(path, 'hidden', !mark.stroke || !path.classList.contains(`at-${mark.stroke}`));
    }
}

function markObject(group, mark) {
    if (!isNews(group, mark)) return;
    const ring = group.querySelector('circle.control');
    if (ring) {
        set(ring, 'off', mark.off);
        set(ring, 'changed', mark.changed);
        for (const text of group.querySelectorAll('text')) set(text, 'faint', mark.off);
    }
    const rect = mark.dependent === undefined ? null : group.querySelector(':scope > rect');
    rect?.setAttribute('class', mark.dependent ? `dependent${mark.changed ? ' changed' : ''}` : mark.changed ? 'free changed' : 'hidden');
}

/** The closed component on the drawing that contains a path. */
function boxAround(boxes, path) {
    for (let at = path; at.includes('.');) {
        at = at.slice(0, at.lastIndexOf('.'));
        if (boxes.has(at)) return boxes.get(at);
    }
    return null;
}

/** The state of the only automaton of a closed component. */
function showState(path, box, automata) {
    const own = automata.filter((automaton) => automaton.path.startsWith(`${path}.`)), text = box.querySelector(':scope > text.when');
    if (text && own.length === 1) text.textContent = `${own[0].path.split('.').pop()}: ${own[0].state}`;
}

/** Puts the marks of a mode on a drawing. */
export function applyMarks(svg, marks) {
    const by = (name, groups) => new Map([...svg.querySelectorAll(groups)].map((group) => [group.getAttribute(name), group]));
    const bonds = by('data-bond', 'g.link'), objects = by('data-path', 'g.node'), boxes = by('data-path', 'g.component[data-open="false"]');
    for (const box of boxes.values()) for (const name of ['conflict', 'changed']) set(box.querySelector('rect.box'), name, false);
    for (const [path, box] of boxes) showState(path, box, marks.automata);
    for (const mark of marks.bonds) {
        const group = bonds.get(mark.bond);
        if (group) { markBond(group, mark); continue; }
        if (!mark.conflict && !mark.changed) continue;
        const box = boxAround(boxes, mark.bond.split('>')[0])?.querySelector('rect.box');
        set(box, mark.conflict ? 'conflict' : 'changed', true);
    }
    for (const mark of marks.objects) {
        const group = objects.get(mark.path);
        if (group) markObject(group, mark);
        else if (mark.changed) set(boxAround(boxes, mark.path)?.querySelector('rect.box'), 'changed', true);
    }
}
