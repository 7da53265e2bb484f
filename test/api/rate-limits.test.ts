/**
 * Tests the rate limits of the API, which address a request is counted for, and the RateLimit
 * header fields.
 */

import { afterEach, describe, expect, test, vi } from 'vitest';
import type { RateLimits } from '../../src/api/options.ts';
import { elapse } from '../support/process/elapse.ts';
import { TEST_ID } from '../support/process/instants.ts';
import { type Api, anApi, created, given, ready, TOKEN } from './harness.ts';

const OFF: RateLimits = { create: 0, wrongToken: 0, unknownId: 0, default: 0 };
const STATUS = `/v1/tests/${TEST_ID}/status`;
const REPORT = `/v1/report?test_id=${TEST_ID}`;

const limited = (limits: Partial<RateLimits>, trustProxy: string[] = []) =>
  anApi({ settings: { rateLimits: { ...OFF, ...limits }, trustProxy } });

async function statuses(times: number, ask: () => Promise<{ statusCode: number }>) {
  const answers: number[] = [];
  for (let i = 0; i < times; i++) answers.push((await ask()).statusCode);
  return answers;
}

afterEach(() => void vi.restoreAllMocks());

const read = ({ app }: Api, token: string, remoteAddress = '192.0.2.1', url = REPORT) =>
  app.inject({ url, remoteAddress, headers: { 'x-read-token': token } });

test('creations are counted per client', async () => {
  const { app } = await limited({ create: 2 });
  const create = (remoteAddress: string) => () =>
    app.inject({ method: 'POST', url: '/v1/tests', remoteAddress });
  expect(await statuses(3, create('192.0.2.1'))).toEqual([201, 201, 429]);
  expect(await statuses(3, create('192.0.2.2'))).toEqual([201, 201, 429]);
});

test('a refusal is a problem with the seconds to wait', async () => {
  const { app } = await limited({ create: 1 });
  await app.inject({ method: 'POST', url: '/v1/tests' });
  const answer = await app.inject({ method: 'POST', url: '/v1/tests' });
  expect(answer.json()).toMatchObject({ status: 429, code: 'rate_limited' });
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  const seconds = Number(answer.headers['retry-after']);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(answer.headers['ratelimit-limit']).toBe('1');
});

test.each([-3_600_000, 3_600_000])('a wall clock set by %d ms changes no limit', async (by) => {
  const { app } = await limited({ create: 1 });
  const create = async () => (await app.inject({ method: 'POST', url: '/v1/tests' })).statusCode;
  expect(await create()).toBe(201);
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now + by);
  expect(await create()).toBe(429);
  elapse(60_000);
  expect(await create()).toBe(201);
});

test('clients with IPv6 are counted by their /64', async () => {
  const { app } = await limited({ create: 1 });
  const create = (remoteAddress: string) =>
    app.inject({ method: 'POST', url: '/v1/tests', remoteAddress });
  expect((await create('2001:db8:1:2::1')).statusCode).toBe(201);
  expect((await create('2001:db8:1:2:ffff::9')).statusCode).toBe(429);
  expect((await create('2001:db8:1:3::1')).statusCode).toBe(201);
});

describe('wrong tokens', () => {
  test('are counted per client and test; a right one always passes', async () => {
    const api = await limited({ wrongToken: 2 });
    await given(api, ...ready());
    expect(await statuses(4, () => read(api, 'wrong'))).toEqual([403, 403, 429, 429]);
    expect((await read(api, TOKEN)).statusCode).toBe(402);
    expect((await read(api, 'wrong', '192.0.2.2')).statusCode).toBe(403);
  });

  test('are not counted if they are right', async () => {
    const api = await limited({ wrongToken: 2 });
    await given(api, ...ready());
    expect(await statuses(5, () => read(api, TOKEN))).toEqual([402, 402, 402, 402, 402]);
    expect((await read(api, 'wrong')).statusCode).toBe(403);
  });
});

describe('unknown ids', () => {
  test('are counted per client; known ones always pass', async () => {
    const api = await limited({ unknownId: 2 });
    await given(api, created());
    const unknown = () => api.app.inject('/v1/tests/aaaaaaaaaaaa/status');
    expect(await statuses(3, unknown)).toEqual([404, 404, 429]);
    expect(
      (await read(api, TOKEN, '127.0.0.1', '/v1/report?test_id=aaaaaaaaaaaa')).statusCode,
    ).toBe(429);
    expect(await statuses(3, () => api.app.inject(STATUS))).toEqual([200, 200, 200]);
  });

  test('cost no reading of the log beyond the limit', async () => {
    const api = await limited({ unknownId: 2 });
    await statuses(10, () => api.app.inject('/v1/tests/aaaaaaaaaaaa/status'));
    expect(api.leaderReads).toHaveLength(2);
  });
});

describe('the default limit', () => {
  test('applies to everything else, even unknown paths, but not to probes', async () => {
    const { app } = await limited({ default: 3 });
    expect(await statuses(4, () => app.inject(STATUS))).toEqual([404, 404, 404, 429]);
    expect((await app.inject('/nothing')).statusCode).toBe(429);
    expect(await statuses(5, () => app.inject('/healthz'))).toEqual([200, 200, 200, 200, 200]);
  });

  test('leaves creations to their own limit', async () => {
    const { app } = await limited({ default: 1 });
    const create = () => app.inject({ method: 'POST', url: '/v1/tests' });
    expect(await statuses(3, create)).toEqual([201, 201, 201]);
  });
});

test('0 means no limit', async () => {
  const api = await limited({});
  await given(api, ...ready());
  const wrong = await statuses(50, () => read(api, 'wrong'));
  const unknown = await statuses(50, () => api.app.inject('/v1/tests/aaaaaaaaaaaa/status'));
  expect([new Set(wrong), new Set(unknown)]).toEqual([new Set([403]), new Set([404])]);
});

describe('the address of the client', () => {
  const create = (api: Api, remoteAddress: string, forwarded: string) =>
    api.app.inject({
      method: 'POST',
      url: '/v1/tests',
      remoteAddress,
      headers: { 'x-forwarded-for': forwarded },
    });

  test('is taken from a trusted proxy', async () => {
    const api = await limited({ create: 1 }, ['10.0.0.0/8']);
    expect((await create(api, '10.1.1.1', '192.0.2.1')).statusCode).toBe(201);
    expect((await create(api, '10.1.1.1', '192.0.2.2')).statusCode).toBe(201);
    expect((await create(api, '10.2.2.2', '192.0.2.1')).statusCode).toBe(429);
  });

  test.each([
    ['192.0.2.1:5678', '192.0.2.1:5679'],
    ['[2001:db8::1]:123', '[2001:db8::1]'],
    ['192.0.2.1:5678, 10.3.3.3:4711', '192.0.2.1'],
  ])('has no port: %s is %s', async (one, other) => {
    const api = await limited({ create: 1 }, ['10.0.0.0/8']);
    expect((await create(api, '10.1.1.1', one)).statusCode).toBe(201);
    expect((await create(api, '10.1.1.1', other)).statusCode).toBe(429);
  });

  test('is not taken from anyone else', async () => {
    const api = await limited({ create: 1 }, ['10.0.0.0/8']);
    expect((await create(api, '192.0.2.9', '192.0.2.1')).statusCode).toBe(201);
    expect((await create(api, '192.0.2.9', '192.0.2.2')).statusCode).toBe(429);
  });
});

describe('RateLimit headers', () => {
  test('show the limit that was reached', async () => {
    const { app } = await limited({ default: 100, unknownId: 1 });
    await app.inject(STATUS);
    const { headers } = await app.inject(STATUS);
    expect(headers).toMatchObject({ 'ratelimit-limit': '1', 'ratelimit-remaining': '0' });
    expect(headers['ratelimit-reset']).toBe(headers['retry-after']);
  });

  test.each([
    [{}, undefined, undefined],
    [{ default: 7 }, undefined, '7'],
    [{ create: 3 }, '3', undefined],
    [{ create: 3, default: 7 }, '3', '7'],
    [{ unknownId: 5, wrongToken: 4 }, undefined, undefined],
  ])(
    'with %j, show the limit %s for a creation, and %s for the rest',
    async (limits, create, rest) => {
      const api = await limited(limits);
      await given(api, ...ready());
      const limitOf = ({ headers }: Awaited<ReturnType<typeof read>>) => {
        const names = Object.keys(headers).filter((name) => name.startsWith('ratelimit'));
        expect(names).toHaveLength(headers['ratelimit-limit'] === undefined ? 0 : 5);
        return headers['ratelimit-limit'];
      };
      expect(limitOf(await api.app.inject({ method: 'POST', url: '/v1/tests' }))).toBe(create);
      expect(limitOf(await read(api, TOKEN))).toBe(rest);
      expect(limitOf(await read(api, 'wrong'))).toBe(rest);
      for (const url of ['/nothing', STATUS, '/', '/v1/tests/aaaaaaaaaaaa/status'])
        expect(limitOf(await api.app.inject(url))).toBe(rest);
    },
  );
});
