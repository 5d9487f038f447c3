// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// Asks a studio without a browser. Requests are written by hand, since fetch sets Host itself.
import { request } from 'node:http';

/** A request; { status, headers, text, bytes }. */
export function send(port, method, path, headers = {}, body = '') {
    return new Promise((resolve, reject) => {
        const asked = request({ host: '127.0.0.1', port, method, path, headers: { Host: `127.0.0.1:${port}`, ...(body ? { 'Content-Length': Buffer.byteLength(body) } : {}), ...headers } }, (answer) => {
            const parts = [];
            answer.on('data', (part) => parts.push(part));
            answer.on('error', reject);
            answer.on('end', () => { const bytes = Buffer.concat(parts); resolve({ status: answer.statusCode, headers: answer.headers, bytes, text: bytes.toString() }); });
        });
        asked.on('error', reject);
        asked.end(body);
    });
}

/** A page without a window: it asks questions, and has a stream of events that can break. */
export class Client {
    constructor(port, token, page) {
        Object.assign(this, { port, page, headers: { 'X-Hbg-Token': token, 'X-Hbg-Page': page }, events: [], waiting: new Set(), stream: null });
    }

    ask(question, asked = {}, headers = {}) {
        return send(this.port, 'POST', `/api/${question}`, { ...this.headers, 'Content-Type': 'application/json', ...headers }, typeof asked === 'string' ? asked : JSON.stringify(asked));
    }

    /** Opens the stream of events, until `close`; answers once the server has greeted. */
    open() {
        return new Promise((resolve, reject) => {
            this.stream = request({ host: '127.0.0.1', port: this.port, path: '/api/stream', headers: { Host: `127.0.0.1:${this.port}`, ...this.headers } }, (answer) => {
                let rest = '';
                answer.on('error', () => {});
                answer.on('data', (data) => {
                    const parts = (rest + data).split('\n\n');
                    rest = parts.pop();
                    for (const part of parts.filter((text) => text.startsWith('event: '))) this.#take(part, resolve);
                });
            });
            this.stream.on('error', reject);
            this.stream.end();
        });
    }

    #take(part, greeted) {
        const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(part), event = { name, ...JSON.parse(data) };
        if (name === 'hello') greeted(event);
        else this.events.push(event);
        for (const look of this.waiting) look();
    }

    /** Breaks the connection of the stream. */
    close() {
        this.stream?.destroy();
        this.stream = null;
    }

    /** The first event of a job by this name, also one that has come already. */
    event(name, job) {
        return new Promise((resolve) => {
            const look = () => {
                const found = this.events.find((event) => event.name === name && event.job === job);
                if (!found) return;
                this.waiting.delete(look);
                resolve(found);
            };
            this.waiting.add(look);
            look();
        });
    }
}
