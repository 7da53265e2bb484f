/** Lists the crowds that attack the HTTP API. */

import { connect } from 'node:net';
import { seconds } from '../row.ts';
import { type Attacker, type Crowd, FILES, pause, scaled } from './crowd.ts';

/** Wrong tokens that a client may try per test and minute. */
const WRONG_TOKENS = 10;

const FOR_EVER = Number.POSITIVE_INFINITY;

/** Counts a creation, or its refusal. Refused clients try again, in the small form after a moment. */
async function post(attacker: Attacker, from: string): Promise<Response> {
  const answer = await attacker.call('/v1/tests', {
    method: 'POST',
    headers: { 'x-forwarded-for': from },
  });
  attacker.count(answer.status === 201 ? 'created' : 'refused');
  if (answer.status !== 201 && seconds === undefined) await pause(50);
  return answer;
}

/**
 * Opens a plain socket to the API, and returns the response if the socket is closed before the attack is
 * over.
 */
async function socketOf(attacker: Attacker, text: string, drip: string): Promise<string> {
  const socket = connect(Number(new URL(attacker.http).port), '127.0.0.1');
  let answer = '';
  socket
    .on('error', () => {})
    .on('data', (chunk) => {
      answer += chunk;
    });
  let isOpen = true;
  socket.once('close', () => {
    isOpen = false;
  });
  socket.write(text);
  for (let turn = 1; isOpen && !attacker.isOver(); turn++) {
    await pause(200);
    if (turn % 5 === 0) socket.write(drip);
  }
  socket.destroy();
  return isOpen ? '' : answer;
}

/** Creates tests without end, while others create theirs. */
const creations = (whom: string, from: (n: number) => string): Crowd => ({
  name: `tests created without end, ${whom}`,
  service: 'tight',
  honest: 'visitors',
  input: {
    connections: 20,
    height: 'refused',
    async step(attacker) {
      for (let n = attacker.n; !attacker.isOver(); n += 20) await post(attacker, from(n));
    },
  },
  expected: { served: 0.95, counts: { created: [1, FOR_EVER], refused: [1, FOR_EVER] } },
});

/** As many calls as a batch may contain, each with a large response. */
const batch = Array.from({ length: 20 }, (_, id) => ({
  ...{ jsonrpc: '2.0', id, method: 'resources/read' },
  params: { uri: 'deliverability://findings' },
}));

export const httpCrowds: readonly Crowd[] = [
  {
    name: 'requests that wait without end, from one client and from its neighbours',
    input: {
      connections: 600,
      leadMs: 3000,
      async step(attacker) {
        const { n } = attacker;
        const { test_id } = await attacker.create();
        const stop = new AbortController();
        const headers = {
          prefer: 'wait=30',
          'x-forwarded-for': `198.51.100.${n < 300 ? 7 : n % 250}`,
        };
        const url = `/v1/tests/${test_id}/status`;
        const waiting = attacker.call(url, { headers, signal: stop.signal }).catch(() => undefined);
        let isHeld = true;
        void waiting.then(() => {
          isHeld = false;
        });
        await attacker.rest(500);
        if (isHeld) attacker.count('held');
        await attacker.rest();
        stop.abort();
      },
    },
    // The senders wait for their own reports with `Prefer: wait`.
    expected: { served: 0.95, counts: { held: [1, 600] } },
  },
  {
    name: 'guessed tokens at somebody’s test, and tests created only to be deleted',
    input: {
      connections: 5,
      async step(attacker) {
        const { n } = attacker;
        const test = await attacker.create();
        const del = async (token: string, from: string) => {
          const headers = { 'x-read-token': token, 'x-forwarded-for': from };
          const url = `/v1/tests/${test.test_id}`;
          return (await attacker.call(url, { method: 'DELETE', headers })).status;
        };
        if (n > 0) {
          attacker.count(`deleted ${await del(test.read_token, `198.51.${n}.7`)}`);
          return;
        }
        for (let guess = 0; guess < 30; guess++)
          attacker.count(`guess ${await del(`guess-${guess}`, '198.51.100.7')}`);
        attacker.count(`holder ${await del(test.read_token, '203.0.113.5')}`);
        await attacker.rest();
      },
    },
    expected: {
      served: 1,
      counts: {
        'guess 403': [1, WRONG_TOKENS],
        'guess 429': [30 - WRONG_TOKENS, 29],
        'holder 204': [1, 1],
        'deleted 204': [1, FOR_EVER],
      },
    },
  },
  {
    name: 'requests a byte at a time, half of them within the body',
    input: {
      connections: scaled(500),
      async step(attacker) {
        const begin = performance.now();
        const head = 'POST /v1/tests HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
        const more = attacker.n % 2 === 0 ? 'Content-Length: 1000\r\n\r\n' : 'X-Slow: ';
        const answer = await socketOf(attacker, head + more, 'a');
        if (attacker.isOver()) return;
        attacker.count(answer.startsWith('HTTP/1.1 408 ') ? 'ended by a 408' : 'ended otherwise');
        if (performance.now() - begin > 25_000) attacker.count('ended late');
      },
    },
    budget: { p99Ms: 1000 },
    expected: { served: 0.95, counts: { 'ended otherwise': [0, 0], 'ended late': [0, 0] } },
  },
  {
    name: 'calls of tools without end from one network',
    input: {
      connections: 20,
      async step(attacker) {
        const answer = await attacker.call('/mcp', {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'x-forwarded-for': `198.51.100.${attacker.n}`,
          },
          body: JSON.stringify({
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: 'create_test', arguments: {} },
          }),
        });
        if (/"test_id\\?"/.test(await answer.text())) attacker.count('created');
        if (answer.status === 429) await pause(50);
      },
    },
    budget: { p99Ms: 1000 },
    expected: { served: 0.95, counts: { created: [1, FOR_EVER] }, perMinute: { created: 120 } },
  },
  {
    name: 'full batches of calls without end from many clients',
    input: {
      connections: 60,
      async step(attacker) {
        const answer = await attacker.call('/mcp', {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'x-forwarded-for': `198.51.${attacker.n % 12}.7`,
          },
          body: JSON.stringify(batch),
        });
        const text = await answer.text();
        attacker.count(answer.status === 200 ? 'answered' : 'refused');
        if (text.length > 512 * 1024) attacker.count('too large');
        if (answer.status !== 200) await pause(200);
      },
    },
    budget: { p99Ms: 1000 },
    expected: { served: 0.95, counts: { answered: [1, FOR_EVER], 'too large': [0, 0] } },
  },
  {
    name: 'tests created without end from one IPv6 /48',
    input: {
      connections: 20,
      async step(attacker) {
        for (let n = attacker.n; !attacker.isOver(); n += 20)
          await post(attacker, `2001:db8:1:${(n & 0xffff).toString(16)}::1`);
      },
    },
    expected: { served: 1, counts: { created: [1, FOR_EVER] }, perMinute: { created: 120 } },
  },
  {
    name: 'a proxy that writes the port of each connection',
    honest: 'nobody',
    input: {
      connections: 80,
      async step(attacker) {
        const { n } = attacker;
        const { status } = await post(
          attacker,
          n % 2 ? `203.0.113.44:${40_000 + n}` : `[2001:dba:44::1]:${n}`,
        );
        attacker.count(String(status));
        await attacker.rest();
      },
    },
    // 30 requests come from each of the two clients.
    expected: { served: 0, counts: { 201: [60, 60], 429: [20, 20] } },
  },
  creations('from 34 addresses', (n) => `10.${n % 34}.0.1`),
  creations(
    'from one IPv6 /44',
    (n) => `2001:db8:${(n & 15).toString(16)}:${(n & 0xffff).toString(16)}::1`,
  ),
  creations('from 64 networks', (n) => `10.${n % 64}.0.${(n >> 6) & 63}`),
  {
    name: 'more silent connections to the API than the process may have files open',
    service: 'tight',
    input: {
      connections: Math.ceil(1.2 * FILES),
      leadMs: 5000,
      step: async (attacker) => {
        await socketOf(attacker, '', '');
        await attacker.rest(5000);
      },
    },
    expected: { served: 0.95 },
  },
  {
    name: 'tests created until the log is full of them',
    service: 'sells',
    honest: 'nobody',
    input: {
      connections: 20,
      async step(attacker) {
        for (let n = attacker.n; !attacker.isOver(); n += 20) {
          const answer = await post(attacker, `10.${(n >> 8) & 255}.${n & 255}.1`);
          attacker.count(String(answer.status));
          if (answer.status !== 503) continue;
          if (!(Number(answer.headers.get('retry-after')) > 0))
            attacker.count('without Retry-After');
          await pause(200);
        }
      },
    },
    // Tests that were created before become ready and are paid for.
    expected: { served: 1, counts: { 503: [1, FOR_EVER], 'without Retry-After': [0, 0] } },
  },
];
