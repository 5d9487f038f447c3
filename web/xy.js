// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Curves over another curve instead of over time.
import { colour } from './plots.js';
import { plain } from './numbers.js';

const LEFT = 70, RIGHT = 16, TOP = 12, BOTTOM = 40;

function ticks(from, to, count) {
    const raw = (to - from) / count, power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= raw);
    const made = [];
    for (let k = Math.ceil(from / step); k * step <= to + 1e-9 * step; k++) made.push(k * step);
    return made;
}

function range(arrays) {
    let low = Infinity, high = -Infinity;
    for (const [values, count] of arrays) for (let i = 0; i < count; i++) { if (values[i] < low) low = values[i]; if (values[i] > high) high = values[i]; }
    if (!(high > low)) return [low - 1 || -1, high + 1 || 1];
    const room = 0.04 * (high - low);
    return [low - room, high + room];
}

/** Draws all wanted columns over the column `xName`. */
export function drawXY(canvas, runs, xName, wanted) {
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
    const xs = range(having.map((run) => [run.column(xName), run.count]));
    const ys = range(having.flatMap((run) => names.filter((name) => run.column(name)).map((name) => [run.column(name), run.count])));
    const x = (value) => LEFT + (value - xs[0]) / (xs[1] - xs[0]) * (width - LEFT - RIGHT), y = (value) => height - BOTTOM - (value - ys[0]) / (ys[1] - ys[0]) * (height - TOP - BOTTOM);
    draw.font = '12px system-ui, sans-serif';
    draw.strokeStyle = css('--grid');
    draw.fillStyle = css('--text');
    draw.textAlign = 'center';
    for (const at of ticks(...xs, 8)) { draw.beginPath(); draw.moveTo(x(at), TOP); draw.lineTo(x(at), height - BOTTOM); draw.stroke(); draw.fillText(plain(at, 4), x(at), height - BOTTOM + 16); }
    draw.textAlign = 'right';
    for (const at of ticks(...ys, 6)) { draw.beginPath(); draw.moveTo(LEFT, y(at)); draw.lineTo(width - RIGHT, y(at)); draw.stroke(); draw.fillText(plain(at, 4), LEFT - 6, y(at) + 4); }
    draw.textAlign = 'center';
    const unit = having[0].columns.find((column) => column.name === xName)?.unit;
    draw.fillText(`${xName}${unit ? `, ${unit}` : ''}`, (width + LEFT) / 2, height - 6);
    for (const run of having) names.forEach((name, i) => curve(draw, run.column(xName), run.column(name), run.count, x, y, colour(i)));
    draw.textAlign = 'left';
    names.forEach((name, i) => { draw.fillStyle = colour(i); draw.fillText(name, LEFT + 8, TOP + 14 + 16 * i); });
}

/** A line; points that would fall on the pixel before are left out. */
function curve(draw, xs, ys, count, x, y, stroke) {
    draw.strokeStyle = stroke;
    draw.lineWidth = 1.5;
    draw.beginPath();
    let px = NaN, py = NaN;
    for (let i = 0; i < count; i++) {
        const cx = x(xs[i]), cy = y(ys[i]);
        if (Math.abs(cx - px) < 0.4 && Math.abs(cy - py) < 0.4) continue;
        if (i === 0) draw.moveTo(cx, cy); else draw.lineTo(cx, cy);
        px = cx; py = cy;
    }
    draw.stroke();
    draw.lineWidth = 1;
}
