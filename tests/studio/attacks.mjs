// SPDX-FileCopyrightText: The hbg authors
// SPDX-License-Identifier: Apache-2.0
//
// attacks.mjs BASE TOKEN FOLDER: what somebody else, or a hostile page, would send.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { Client, send as sendTo } from './client.mjs';
import { equal, ok } from './expect.mjs';

const [base, token, folder] = process.argv.slice(2);
const { port } = new URL(base);
const page = '0123456789abcdef0123456789abcdef';

const send = (...what) => sendTo(port, ...what);
const client = new Client(port, token, page), own = { ...client.headers, 'Content-Type': 'application/json' };
const ask = (...what) => client.ask(...what);
const refused = async (what, answer, status) => equal((await answer).status, status, what);

// who asks
await refused('the page without a token', send('GET', '/'), 403);
await refused('the page with a wrong token', send('GET', '/?token=secret'), 403);
await refused('the page with a longer token', send('GET', `/?token=${token}x`), 403);
await refused('a question without a token', ask('files', {}, { 'X-Hbg-Token': '' }), 403);
await refused('a token in the address of a question', send('POST', `/api/files?token=${token}`, { 'Content-Type': 'application/json' }, '{}'), 403);
await refused('a name that points here (DNS rebinding)', send('GET', `/?token=${token}`, { Host: 'evil.example' }), 403);
await refused('a name that begins like ours', send('GET', `/?token=${token}`, { Host: '127.0.0.1.evil.example' }), 403);
await refused('a name that begins like ours, with a port', send('GET', `/?token=${token}`, { Host: 'localhost.evil.example:80' }), 403);
await refused('a foreign origin', ask('files', {}, { Origin: 'http://evil.example' }), 403);
await refused('another port of this machine', ask('files', {}, { Origin: 'http://127.0.0.1:1' }), 403);
await refused('the origin null', ask('files', {}, { Origin: 'null' }), 403);
await refused('another site', ask('files', {}, { 'Sec-Fetch-Site': 'cross-site' }), 403);
await refused('another site asks for the script', send('GET', '/studio.js', { 'Sec-Fetch-Site': 'cross-site' }), 403);
await refused('a form', ask('files', '{}', { 'Content-Type': 'text/plain' }), 415);
await refused('a type that begins like ours', ask('files', '{}', { 'Content-Type': 'application/jsonx' }), 415);
await refused('a question by GET', send('GET', '/api/files', own), 405);
await refused('the page by POST', send('POST', `/?token=${token}`, own, '{}'), 405);
await refused('a method that is none', send('DELETE', '/studio.js'), 405);
await refused('a page that is none', send('GET', '/../etc/passwd'), 404);
await refused('a question that is none', ask('shell', {}), 404);
await refused('a stream of nobody', send('GET', '/api/stream', { 'X-Hbg-Token': token }), 400);
for (const name of [`localhost:${port}`, `[::1]:${port}`, 'localhost:9999', '127.0.0.1'])
    await refused(`its own name ${name}`, send('GET', `/?token=${token}`, { Host: name }), 200);
await refused('its own origin through a tunnel', ask('files', {}, { Host: 'localhost:9999', Origin: 'http://localhost:9999' }), 200);

// what is asked
await refused('no JSON', ask('files', '{'), 400);
await refused('no object', ask('files', '[1]'), 400);
await refused('a string with a zero', ask('read', '{"path":"a\\u0000b"}'), 400);
const deep = '{"a":'.repeat(100000) + '1' + '}'.repeat(100000);
await refused('a deep object', ask('files', deep), 400);
await refused('too much', ask('read', `{"path":"${'x'.repeat(17 << 20)}"}`), 413).catch((error) => ok(/ECONNRESET|EPIPE/.test(error.code), `too much: ${error}`));

// where: no path leads out of the folder, and nothing but models is written
const outside = ['../outside/secret.hbg', 'door/secret.hbg', 'window.hbg', '/etc/passwd', 'below/../../outside/secret.hbg', './../outside/secret.hbg', 'nowhere.hbg', '', 'below//x.hbg', 'door', 'a\\..\\b.hbg', 'x\ny.hbg', 'missing/new.hbg', 'y'.repeat(5000)];
for (const path of outside) {
    await refused(`reading ${path}`, ask('read', { path }), 403);
    await refused(`writing ${path}`, ask('write', { path, text: 'model Evil {}', force: true }), 403);
    await refused(`exporting to ${path}`, ask('export', { path: 'diode-inductor.hbg', to: 'image', place: path }), 403);
    await refused(`checking ${path}`, ask('check', { path, text: 'model M {}' }), 403);
}
await refused('writing something else than a model', ask('write', { path: '.bashrc', text: 'evil', force: true }), 403);
await refused('exporting over a model', ask('export', { path: 'diode-inductor.hbg', to: 'blocks', place: 'other.hbg' }), 400);
await refused('reading a folder', ask('read', { path: 'below' }), 400);
const { files } = JSON.parse((await ask('files', {})).text);
equal(files.join(), 'diode-inductor.hbg', 'links are not listed');

// files that have changed
const first = JSON.parse((await ask('read', { path: 'diode-inductor.hbg' })).text);
equal(first.text, readFileSync(`${folder}/diode-inductor.hbg`, 'utf8'), 'the text of the file');
writeFileSync(`${folder}/diode-inductor.hbg`, first.text + '// somebody else\n');
const conflict = await ask('write', { path: 'diode-inductor.hbg', text: 'mine', stamp: first.stamp });
equal(conflict.status, 409, 'a file that has changed is not overwritten');
equal(JSON.parse(conflict.text).text, first.text + '// somebody else\n', 'the page is shown what is there');
equal(readFileSync(`${folder}/diode-inductor.hbg`, 'utf8'), first.text + '// somebody else\n', 'and it is as it was');
equal((await ask('write', { path: 'diode-inductor.hbg', text: first.text, stamp: JSON.parse(conflict.text).stamp })).status, 200, 'it is written by who knows it');
equal((await ask('write', { path: 'diode-inductor.hbg', text: 'new', stamp: null })).status, 409, 'a new file does not replace one');
equal((await ask('write', { path: 'below/new.hbg', text: 'model New {}', stamp: null })).status, 200, 'a new file');
equal(readFileSync(`${folder}/below/new.hbg`, 'utf8'), 'model New {}', 'its text');

// files that are no models, or are not to be changed
writeFileSync(`${folder}/large.hbg`, `model Large {\n${'    R r(1 [Ohm]); // a resistor\n'.repeat(170000)}}\n`); // 5 MB
writeFileSync(`${folder}/zero.hbg`, Buffer.from([0x6d, 0, 0x6d]));
writeFileSync(`${folder}/latin.hbg`, Buffer.from('model M {} // \xe4\n', 'latin1'));
writeFileSync(`${folder}/kept.hbg`, 'model Kept {}\n');
chmodSync(`${folder}/kept.hbg`, 0o444);
for (const [path, why] of [['large.hbg', 'larger than'], ['zero.hbg', 'zero byte'], ['latin.hbg', 'not in UTF-8']]) {
    for (const [question, more] of [['read', {}], ['write', { text: 'mine', stamp: '0' }]]) {
        const { status, text } = await ask(question, { path, ...more });
        ok(status === 400 && JSON.parse(text).error.includes(why), `${question} ${path}: ${status} ${text.slice(0, 200)}`);
    }
}
const kept = JSON.parse((await ask('read', { path: 'kept.hbg' })).text);
for (const force of [false, true]) {
    const answer = await ask('write', { path: 'kept.hbg', text: 'mine', stamp: kept.stamp, force });
    ok(answer.status === 403 && JSON.parse(answer.text).error.includes('read-only'), `a file that is read-only: ${answer.text}`);
}
equal(readFileSync(`${folder}/kept.hbg`, 'utf8'), 'model Kept {}\n', 'it is as it was');

// headers
const { headers } = await send('GET', `/?token=${token}`);
const policy = headers['content-security-policy'];
ok(/default-src 'none'/.test(policy) && /script-src 'self';/.test(policy) && /frame-ancestors 'none'/.test(policy) && !/unsafe/.test(policy), `the policy: ${policy}`);
equal(headers['x-content-type-options'], 'nosniff', 'no guessing of types');
equal(headers['referrer-policy'], 'no-referrer', 'the address with its token goes nowhere');
ok(headers['set-cookie'] === undefined && headers['access-control-allow-origin'] === undefined, 'no cookie, nobody else');
const nonces = [policy, (await send('GET', `/?token=${token}`)).headers['content-security-policy']].map((text) => text.match(/nonce-(\w+)/)[1]);
ok(nonces[0] !== nonces[1] && nonces[0].length === 32, 'a new number each time');

// half a request, then silence; and bytes that are no request: others are served all the same
const half = connect(port, '127.0.0.1', () => half.write('POST /api/files HTTP/1.1\r\nHost: localhost\r\nContent-Le'));
const noise = connect(port, '127.0.0.1', () => noise.write(Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 7919) % 256))));
for (const socket of [half, noise]) socket.on('error', () => {});
equal((await ask('files', {})).status, 200, 'it still answers');
half.destroy();
noise.destroy();

// the language server
await refused('a document outside', ask('lsp', { path: '../outside/secret.hbg', text: 'model M {}', method: 'textDocument/hover', params: {} }), 403);
await refused('no method', ask('lsp', { path: 'm.hbg', text: 'model M {}' }), 400);

// a model cannot crash it
for (const text of ['', 'model', 'model M { '.repeat(2000), '\u{1F600}'.repeat(1000), 'model M { R r(1 [Ohm] }'])
    for (const question of ['check', 'draw', 'causality']) equal((await ask(question, { path: 'diode-inductor.hbg', text })).status, 200, `${question} of a broken text`);
