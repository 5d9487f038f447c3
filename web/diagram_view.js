// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The visible part of a drawing: panned, zoomed, fitted. It is kept in the coordinates of places, in which unchanged objects of a new drawing stay where they were.

const LEAST = 0.1, MOST = 6;
export const READABLE = 0.6; // of the size of a drawing: its smaller texts have 6 pixels then

/** The offset added to the places of a drawing: { x, y }. */
export function movedOf(svg) {
    const [x, y] = (svg.querySelector('g.graph')?.getAttribute('data-moved') ?? '0,0').split(',').map(Number);
    return { x, y };
}

/** The place of an object, { x, y }. */
export function placeOf(group) {
    const [x, y] = (group.getAttribute('data-at') ?? '0,0').split(',').map(Number);
    return { x, y };
}

export class View {
    constructor(paper) {
        this.paper = paper;
        this.svg = null;
        this.scale = 1; // pixels of the screen for one of the drawing
        this.x = 0; // place at the top left corner
        this.y = 0;
        this.fits = false; // all is visible, and it was not moved since
    }

    size() {
        return { width: this.paper.clientWidth, height: this.paper.clientHeight };
    }

    apply() {
        if (!this.svg) return;
        const { width, height } = this.size(), moved = movedOf(this.svg);
        const wanted = { width: String(width), height: String(height), viewBox: `${this.x + moved.x} ${this.y + moved.y} ${width / this.scale} ${height / this.scale}` };
        for (const [name, value] of Object.entries(wanted)) // setting the same value would also cause a new layout
            if (this.svg.getAttribute(name) !== value) this.svg.setAttribute(name, value);
    }

    /** The paper has another size: its middle stays; if all was visible, all stays visible. */
    resized() {
        const { width, height } = this.size();
        if (this.fits && width && this.last && width !== this.last.width) {
            this.last = { width, height };
            return this.fit();
        }
        if (this.last && width && this.last.width) {
            this.x -= (width - this.last.width) / 2 / this.scale;
            this.y -= (height - this.last.height) / 2 / this.scale;
        }
        if (width) this.last = { width, height };
        this.apply();
    }

    /** Takes another drawing, of this size; what is seen stays, but where all was seen all of it is. */
    show(svg, box) {
        const first = this.svg === null;
        this.svg = svg;
        this.box = box;
        if (first || (this.fits && !this.holds())) this.fit();
        else this.apply();
    }

    /** Whether all of the drawing is seen. */
    holds() {
        const { width, height } = this.size(), moved = movedOf(this.svg), x = -moved.x - this.x, y = -moved.y - this.y;
        return Math.min(x, y) > -1 && x + this.box.width < width / this.scale + 1 && y + this.box.height < height / this.scale + 1;
    }

    clear() {
        this.svg = null;
    }

    fit() {
        const { width, height } = this.size();
        if (!this.svg || !width || !this.box.width) return;
        const moved = movedOf(this.svg);
        const whole = Math.min(width / this.box.width, height / this.box.height);
        this.scale = whole < LEAST ? READABLE : Math.min(1.5, whole); // what cannot be seen whole can be read, from its first corner on
        const before = (room, size) => Math.max(0, room / this.scale - size) / 2;
        this.x = -moved.x - before(width, this.box.width);
        this.y = -moved.y - before(height, this.box.height);
        this.fits = true;
        this.apply();
    }

    zoom(factor, at = null) {
        const { width, height } = this.size(), corner = this.paper.getBoundingClientRect();
        const px = at ? at.clientX - corner.left : width / 2, py = at ? at.clientY - corner.top : height / 2;
        const scale = Math.min(MOST, Math.max(LEAST, this.scale * factor));
        this.x += px / this.scale - px / scale;
        this.y += py / this.scale - py / scale;
        this.scale = scale;
        this.fits = false;
        this.apply();
    }

    pan(dx, dy) {
        this.x -= dx / this.scale;
        this.y -= dy / this.scale;
        this.fits = false;
        this.apply();
    }

    /** The place under a point of the screen. */
    placeAt({ clientX, clientY }) {
        const corner = this.paper.getBoundingClientRect();
        return { x: this.x + (clientX - corner.left) / this.scale, y: this.y + (clientY - corner.top) / this.scale };
    }
}

/** Wheel, and dragging on empty paper. */
export function letMove(view, paper, isFree) {
    paper.addEventListener('wheel', (event) => {
        event.preventDefault();
        if (event.ctrlKey || !event.shiftKey) view.zoom(Math.exp(-event.deltaY * 0.0015), event);
        else view.pan(-event.deltaY, 0);
    }, { passive: false });
    paper.addEventListener('pointerdown', (event) => {
        if (event.button > 1 || (event.button === 0 && !isFree(event))) return;
        let last = event;
        paper.setPointerCapture(event.pointerId);
        const move = (now) => { view.pan(now.clientX - last.clientX, now.clientY - last.clientY); last = now; };
        const end = () => { paper.removeEventListener('pointermove', move); paper.removeEventListener('pointerup', end); };
        paper.addEventListener('pointermove', move);
        paper.addEventListener('pointerup', end);
    });
}
