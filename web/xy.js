// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Curves over another curve instead of over time.
import { colour, DASHES } from './plots.js';
import { axisNumbers } from './numbers.js';
import { LINEAR, LOG, roomy, ticks } from './scale.js';

const LEFT = 70, RIGHT = 16, TOP = 28, BOTTOM = 40;

/** The ends of these columns, [[values, count]…], as far as they are on the axis. */
function range(arrays, scale) {
    let low = Infinity, high = -Infinity;
    for (const [values, count] of arrays)
        for (let i = 0; i < count; i++) {
            if (scale.log && !(values[i] > 0)) continue;
            if (values[i] < low) low = values[i];
            if (values[i] > high) high = values[i];
        }
    return roomy(scale, low, high, 0.04);
}

/** A value as a pixel, between two of them. */
function axis(scale, [low, high], from, to) {
    const [a, b] = [scale.of(low), scale.of(high)];
    return (value) => from + (scale.of(value) - a) / (b - a) * (to - from);
}

/** Draws all wanted columns over the column `xName`, with the axes, colours and dashes of the plots over time. */
export function drawXY(canvas, runs, xName, { wanted, numbers, logX, logY }) {
    const style = getComputedStyle(document.documentElement), css = (name) => style.getPropertyValue(name).trim();
    const width = canvas.parentElement.clientWidth, height = 380, scale = devicePixelRatio;
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.style.height = `${height}px`;
    const draw = canvas.getContext('2d');
    draw.scale(scale, scale);
    const having = runs.filter((run) => run.column(xName) && run.count > 0);
    if (having.length === 0) return;
    const names = having[0].columns.slice(1).map((column) => column.name).filter((name) => name !== xName && wanted.has(name));
    const across = logX ? LOG : LINEAR, upwards = logY ? LOG : LINEAR;
    const xs = range(having.map((run) => [run.column(xName), run.count]), across);
    const ys = range(having.flatMap((run) => names.filter((name) => run.column(name)).map((name) => [run.column(name), run.count])), upwards);
    const x = axis(across, xs, LEFT, width - RIGHT), y = axis(upwards, ys, height - BOTTOM, TOP);
    draw.font = '12px system-ui, sans-serif';
    draw.strokeStyle = css('--grid');
    draw.fillStyle = css('--text');
    draw.textAlign = 'center';
    const unitOf = (name) => having[0].columns.find((column) => column.name === name).unit ?? '';
    const titled = (name, unit) => (unit ? `${name} in ${unit}` : name);
    const marks = ticks(across, ...xs, 8), bottom = axisNumbers(marks, unitOf(xName), logX);
    marks.forEach((at, i) => { draw.beginPath(); draw.moveTo(x(at), TOP); draw.lineTo(x(at), height - BOTTOM); draw.stroke(); draw.fillText(bottom.texts[i], x(at), height - BOTTOM + 16); });
    draw.textAlign = 'right';
    const units = new Set(names.map(unitOf)), levels = ticks(upwards, ...ys, 6), left = axisNumbers(levels, units.size === 1 ? [...units][0] : '', logY);
    levels.forEach((at, i) => { draw.beginPath(); draw.moveTo(LEFT, y(at)); draw.lineTo(width - RIGHT, y(at)); draw.stroke(); draw.fillText(left.texts[i], LEFT - 6, y(at) + 4); });
    draw.textAlign = 'center';
    draw.fillText(titled(xName, bottom.unit), (width + LEFT) / 2, height - 6);
    having.forEach((run, r) => {
        draw.setLineDash(DASHES[(having.length - 1 - r) % DASHES.length] ?? []);
        for (const name of names) if (run.column(name)) curve(draw, run.column(xName), run.column(name), run.count, x, y, colour(numbers.get(name) ?? 0));
    });
    draw.setLineDash([]);
    draw.textAlign = 'left';
    let at = LEFT; // names in a row above the curves
    for (const name of names) {
        const text = titled(name, units.size === 1 ? left.unit : unitOf(name));
        draw.fillStyle = colour(numbers.get(name) ?? 0);
        draw.fillText(text, at, TOP - 10);
        at += draw.measureText(text).width + 18;
    }
}

/** A line; points on the same pixel as the one before are left out. */
function curve(draw, xs, ys, count, x, y, stroke) {
    draw.strokeStyle = stroke;
    draw.lineWidth = 1.5;
    draw.beginPath();
    let px = NaN, py = NaN;
    for (let i = 0; i < count; i++) {
        const cx = x(xs[i]), cy = y(ys[i]);
        if (Math.abs(cx - px) < 0.4 && Math.abs(cy - py) < 0.4) continue;
        if (!Number.isFinite(cx) || !Number.isFinite(cy)) { px = py = NaN; continue; } // it is not on the axis
        if (Number.isNaN(px)) draw.moveTo(cx, cy); else draw.lineTo(cx, cy);
        px = cx; py = cy;
    }
    draw.stroke();
    draw.lineWidth = 1;
}
