/** Tests the client of Google Web Risk: what it sends, and how it reads answers and silence. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createWebRisk } from '../../../src/adapters/web-risk/web-risk.ts';
import { elapse } from '../../support/process/elapse.ts';

let server: Server;
let requests: IncomingMessage[];
let answer: (host: string, response: ServerResponse) => unknown;
let now: number;
beforeEach(async () => {
  requests = [];
  now = Date.parse('2026-11-20T10:00:00Z');
  answer = (_, response) => response.end('{}');
  server = createServer((request, response) => {
    requests.push(request);
    const uri = new URL(request.url ?? '', 'http://x').searchParams.get('uri') ?? '';
    answer(new URL(uri).hostname, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const create = (changes = {}) =>
  createWebRisk({
    apiKey: 'secret-key',
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clock: () => now,
    deadlineMs: 10_000,
    ...changes,
  });

const clean = { threats: [], expiresAt: null };
const threat = JSON.stringify({
  threat: { threatTypes: ['MALWARE', 'NEW_KIND'], expireTime: '2026-11-20T10:30:00.5Z' },
});
const listed = { threats: ['MALWARE'], expiresAt: '2026-11-20T10:30:00.500Z' };

test('without a key, nothing is asked', async () => {
  const webRisk = create({ apiKey: null });
  expect(webRisk.configured).toBe(false);
  expect(await webRisk.lookUpHosts(['example.com'])).toEqual({});
  expect(requests).toEqual([]);
});

test('only host names are sent, and the key is never in the URL', async () => {
  await create().lookUpHosts(['www.example.com']);
  const url = new URL(requests[0]?.url ?? '', 'http://x');
  expect(url.pathname).toBe('/v1/uris:search');
  expect(url.searchParams.get('uri')).toBe('https://www.example.com/');
  expect(url.searchParams.getAll('threatTypes')).toEqual([
    'MALWARE',
    'SOCIAL_ENGINEERING',
    'UNWANTED_SOFTWARE',
  ]);
  expect(requests[0]?.headers['x-goog-api-key']).toBe('secret-key');
  expect(url.href).not.toContain('secret-key');
});

test('clean and listed hosts are told apart', async () => {
  answer = (host, response) => response.end(host === 'bad.example' ? threat : '{}');
  expect(await create().lookUpHosts(['good.example', 'bad.example'])).toEqual({
    'good.example': clean,
    'bad.example': listed,
  });
});

test.each<[string, typeof answer]>([
  ['an error', (_, response) => response.writeHead(403).end('{}')],
  ['no JSON', (_, response) => response.end('<html>')],
  ['a threat without types', (_, response) => response.end('{"threat":{}}')],
])('%s is no answer', async (_, say) => {
  answer = say;
  expect(await create().lookUpHosts(['example.com'])).toEqual({ 'example.com': null });
});

test('silence is not an answer', async () => {
  answer = () => {};
  const webRisk = create({ deadlineMs: 200 });
  expect(await webRisk.lookUpHosts(['example.com'])).toEqual({ 'example.com': null });
});

test('twenty hosts are asked about, and nothing is said about the others', async () => {
  const hosts = Array.from({ length: 23 }, (_, i) => `h${i}.example`);
  const answers = await create().lookUpHosts(hosts);
  expect(requests).toHaveLength(20);
  expect(Object.keys(answers).sort()).toEqual(hosts.slice(0, 20).sort());
});

test('answers are kept: a listing until the time it states, a clean one for ten minutes', async () => {
  answer = (host, response) => response.end(host === 'bad.example' ? threat : '{}');
  const webRisk = create();
  const asked = async () => {
    const before = requests.length;
    await webRisk.lookUpHosts(['good.example', 'bad.example']);
    return requests.length - before;
  };
  const wait = (minutes: number) => {
    elapse(minutes * 60_000);
    now += minutes * 60_000;
  };
  expect(await asked()).toBe(2);
  wait(9);
  expect(await asked()).toBe(0);
  wait(2);
  expect(await asked()).toBe(1);
  wait(20);
  expect(await asked()).toBe(2);
});
