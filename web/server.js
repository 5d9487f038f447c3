// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// The server: questions with their answers, and the stream of events that it sends.

const token = new URLSearchParams(location.search).get('token') ?? '';
const page = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const headers = { 'X-Hbg-Token': token, 'X-Hbg-Page': page };

/** A refused question: status and answer give the reason. */
export class Refused extends Error {
    constructor(status, answer) {
        super(answer.error ?? 'The server refused.');
        this.status = status;
        this.answer = answer;
    }
}

/** Asks, and answers with the response: for answers that are not JSON. */
export async function askRaw(question, asked, more) {
    let response;
    try {
        response = await fetch('/api/' + question, {
            method: 'POST',
            headers: { ...headers, 'Content-Type': 'application/json' },
            body: JSON.stringify(asked),
            ...more,
        });
    } catch {
        throw new Refused(0, { error: 'The server does not answer. Is hbg studio still running?' });
    }
    if (!response.ok) throw new Refused(response.status, await response.json().catch(() => ({})));
    return response;
}

/** Asks, and answers with an object. */
export async function ask(question, asked = {}) {
    return (await askRaw(question, asked)).json();
}

// ---- events ------------------------------------------------------------------------------------------------

const listeners = new Map();

/** Calls back for every event of this name. */
export function on(name, callback) {
    if (!listeners.has(name)) listeners.set(name, new Set());
    listeners.get(name).add(callback);
    return () => listeners.get(name).delete(callback);
}

export function emit(name, data) {
    for (const callback of listeners.get(name) ?? []) callback(data);
}

function take(text) {
    const fields = Object.fromEntries(text.split('\n').filter((line) => line && !line.startsWith(':')).map((line) => {
        const colon = line.indexOf(': ');
        return [line.slice(0, colon), line.slice(colon + 2)];
    }));
    if (fields.event) emit(fields.event, JSON.parse(fields.data));
}

let server = null; // the one that answered last
on('hello', (hello) => { queueMicrotask(() => { server = hello.server; }); });

async function follow() {
    const response = await fetch('/api/stream', { headers });
    if (!response.ok) throw new Error(String(response.status));
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        const parts = (rest + value).split('\n\n');
        rest = parts.pop();
        parts.forEach(take);
    }
}

/** Opens the stream, and opens it again whenever it breaks. */
export async function connect() {
    for (let wait = 250; ; wait = Math.min(2 * wait, 4000)) {
        const began = Date.now();
        try {
            await follow();
        } catch { /* the server is away; reported below */ }
        emit('away');
        if (Date.now() - began > 5000) wait = 250;
        await new Promise((resolve) => setTimeout(resolve, wait));
    }
}

addEventListener('pagehide', () => {
    fetch('/api/leave', { method: 'POST', keepalive: true, headers: { ...headers, 'Content-Type': 'application/json' }, body: '{}' }).catch(() => {});
});

// ---- jobs --------------------------------------------------------------------------------------------------

/** Begins a job and waits for its result; `watch` gets its progress. The promise has the number of the job as `job` once it is known. */
export async function job(question, asked, watch = {}) {
    const waiting = [], began = server;
    const early = [on('done', (event) => waiting.push(event))];
    let number;
    try {
        number = (await ask(question, asked)).job;
    } catch (error) {
        early.forEach((off) => off());
        throw error;
    }
    watch.begun?.(number);
    return new Promise((resolve, reject) => {
        const offs = [
            ...early,
            on('progress', (event) => event.job === number && watch.progress?.(event)),
            on('done', (event) => event.job === number && end(event)),
            on('hello', (hello) => ((began !== null && hello.server !== began) || !hello.jobs.includes(number)) && fail()), // its end was missed
        ];
        const finish = () => offs.forEach((off) => off());
        const end = (event) => { finish(); resolve(event); };
        const fail = () => { finish(); reject(new Refused(0, { error: 'The connection was lost. Start it again.' })); };
        const before = waiting.find((event) => event.job === number);
        if (before) end(before);
    });
}
