// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// crowd.mjs BASE TOKEN FOLDER PAGES ROUNDS: so many pages at once, each with questions, runs, proofs, campaigns, stops, broken streams and farewells. Leaves runs and
// a file on its way under way, so that the studio is ended in the middle of them.
import { readFileSync, writeFileSync } from 'node:fs';
import { Client } from './client.mjs';
import { equal, ok } from './expect.mjs';

const [base, token, folder, pages, rounds] = process.argv.slice(2);
const { port } = new URL(base);
const diode = { path: 'diode-inductor.hbg' }, text = readFileSync(`${folder}/diode-inductor.hbg`, 'utf8');
const swing = { path: 'swing.hbg', text: 'model Swing {\n    C spring(1 [m/N], q = 1 [m]);\n    I mass(1 [kg]);\n    1 body;\n    body -> spring;\n    body -> mass;\n    output x = spring.q;\n    experiment endless { stop 1e9 [s]; record x every 1 [s]; }\n}\n' };
const clients = Array.from({ length: Number(pages) }, (_, i) => new Client(port, token, String(i).padStart(32, '0')));
const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

async function answered(client, question, asked, status = 200) {
    const answer = await client.ask(question, asked);
    equal(answer.status, status, `${question} ${answer.text.slice(0, 200)}`);
    return answer;
}

const begun = async (client, question, asked) => JSON.parse((await answered(client, question, asked)).text).job;

/** Pulls rows until the server may forget the run; how many came. */
async function pull(client, job, done) {
    let rows = 0, events = 0;
    for (;;) {
        const { bytes } = await answered(client, 'rows', { job, rows, events }), head = JSON.parse(bytes.subarray(0, bytes.indexOf(10)));
        equal(head.first, rows, 'no row is lost');
        equal(bytes.length, bytes.indexOf(10) + 1 + 8 * head.count * head.columns.length, 'rows are whole');
        if (head.count + head.events.length === 0 && rows === done.rows) return rows;
        rows += head.count;
        events += head.events.length;
    }
}

const deeds = [
    async (client) => {
        const hover = { ...diode, text, method: 'textDocument/hover', params: { position: { line: 9, character: 6 } } };
        const [check, draw] = await Promise.all([answered(client, 'check', { ...diode, text }), answered(client, 'draw', diode), answered(client, 'lsp', hover), answered(client, 'files', {}), answered(client, 'causality', { ...diode, all: true })]);
        equal(JSON.parse(check.text).list.model, 'DiodeInductor', 'the model');
        ok(JSON.parse(draw.text).svg.includes('data-path="coil"'), 'its drawing');
    },
    async (client) => {
        const job = await begun(client, 'run', diode), done = await client.event('done', job);
        equal(done.result.end, 'finished', 'the run');
        equal(await pull(client, job, done), done.rows, 'all of its rows');
        await answered(client, 'rows', { job, rows: 0, events: 0 }, 404);
    },
    async (client) => {
        const job = await begun(client, 'run', swing);
        await client.event('progress', job);
        const other = clients.find((one) => one !== client);
        equal(JSON.parse((await answered(other, 'stop', { job })).text).stopped, false, 'another page does not stop it');
        await answered(other, 'rows', { job, rows: 0, events: 0 }, 404);
        await answered(client, 'stop', { job });
        equal((await client.event('done', job)).result.end, 'interrupted', 'the run is stopped');
    },
    async (client) => {
        const proof = await begun(client, 'verify', diode), picture = await begun(client, 'phase', { ...diode, axes: 'coil.p,time' });
        await answered(client, 'stop', { job: picture });
        await Promise.all([client.event('done', proof), client.event('done', picture)]);
    },
    async (client) => {
        const job = await begun(client, 'run', swing);
        await client.event('progress', job);
        client.close();
        const { jobs } = await client.open();
        ok(jobs.includes(job), 'the greeting names what is under way');
        await answered(client, 'stop', { job });
        await client.event('done', job);
    },
    async (client) => {
        const job = await begun(client, 'campaign', { ...diode, 'fault rows': 'at,until,target,kind,value\n0,,R1,abrupt,-30 [%]\n0,,L,abrupt,30 [%]\n' });
        equal((await client.event('done', job)).result.table.trim().split('\n').length, 4, 'head, nominal, two faults');
    },
    async (client) => {
        const files = await Promise.all(['csv', 'svg'].map((format) => answered(client, 'save', { ...diode, format })));
        ok(files[0].text.includes('time') && files[1].text.includes('<svg'), 'what is saved');
    },
];

/** All write what they read at once: one of them does, the others are told. */
async function race(number) {
    const path = 'race.hbg';
    const long = (name) => `model ${name} {}\n${'// so long that two of them meet\n'.repeat(6000)}`;
    writeFileSync(`${folder}/${path}`, long(`Race${number}`));
    const { stamp } = JSON.parse((await answered(clients[0], 'read', { path })).text);
    const answers = await Promise.all(clients.map((client, i) => client.ask('write', { path, text: long(`Won${number}By${i}`), stamp })));
    equal(answers.filter(({ status }) => status === 200).length, 1, 'one page writes');
    equal(answers.filter(({ status }) => status === 409).length, clients.length - 1, 'the others are told');
    equal(readFileSync(`${folder}/${path}`, 'utf8'), long(`Won${number}By${answers.findIndex(({ status }) => status === 200)}`), 'what is written');
}

/** What a page began ends when it is gone, and its rows are forgotten. */
async function farewell(client) {
    const job = await begun(client, 'run', swing);
    await client.event('progress', job);
    await answered(client, 'leave', {});
    client.close();
    for (let i = 0; ; i++) {
        if ((await client.ask('rows', { job, rows: 0, events: 0 })).status === 404) return;
        ok(i < 100, 'the run of a page that is gone is forgotten');
        await pause(100);
    }
}

await Promise.all(clients.map((client) => client.open()));
await Promise.all(clients.map(async (client, i) => {
    for (let round = 0; round < Number(rounds); round++) await deeds[(i + round) % deeds.length](client);
}));
for (let i = 0; i < 5 * Number(rounds); i++) await race(i);
await farewell(clients.pop());
const last = await Promise.all(clients.map((client) => begun(client, 'run', swing))); // more than there are threads
await Promise.race(clients.map((client, i) => client.event('progress', last[i])));
clients[0].ask('save', { ...swing, format: 'csv' }).catch(() => {});
await pause(200);
process.exit(0);
