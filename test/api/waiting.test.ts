/** Tests requests that wait for the next change of a test (`Prefer: wait`). */

import { afterEach, describe, expect, test, vi } from 'vitest';
import { anEvent } from '../support/log/events.ts';
import { eventually } from '../support/process/eventually.ts';
import { TEST_ID } from '../support/process/instants.ts';
import { settleDown } from '../support/process/settle-down.ts';
import { type Api, anApi, analysed, arrived, created, given } from './harness.ts';

const url = `/v1/tests/${TEST_ID}/status`;

/** Requests the status and waits; `settled` is true once there is a response. */
function ask({ app }: Api, { prefer = 'wait=30', remoteAddress = '192.0.2.1', headers = {} } = {}) {
  const asked = { settled: false };
  const answer = app.inject({ url, remoteAddress, headers: { prefer, ...headers } }).then((got) => {
    asked.settled = true;
    return got;
  });
  return Object.assign(asked, { answer });
}

afterEach(() => void vi.useRealTimers());

describe('a request that waits', () => {
  test('gets its response at the next event of its test', async () => {
    const api = await anApi();
    await given(api, created());
    const waiting = ask(api);
    await settleDown();
    expect(waiting.settled).toBe(false);
    await given(api, arrived());
    const answer = await waiting.answer;
    expect(answer.json()).toMatchObject({ status: 'processing' });
    expect(answer.headers).toMatchObject({ 'preference-applied': 'wait=30', 'retry-after': '1' });
  });

  test('does not miss events between its last response and this request', async () => {
    const api = await anApi();
    await given(api, created());
    const seen = await ask(api, { prefer: '' }).answer;
    await given(api, anEvent('MailRefused', 30));
    const headers = { 'test-position': String(seen.headers['test-position']) };
    const { headers: news, ...answer } = await ask(api, { headers }).answer;
    expect(answer.json()).toMatchObject({
      status: 'waiting',
      refusal: { reasons: [{ code: 'spf_and_dkim_failed' }] },
    });
    expect(news).not.toHaveProperty('preference-applied');
    const waiting = ask(api, { headers: { 'test-position': String(news['test-position']) } });
    await settleDown();
    expect(waiting.settled).toBe(false);
    await given(api, arrived());
    expect((await waiting.answer).json()).toMatchObject({ status: 'processing' });
  });

  test('waits no longer than it asks to', async () => {
    const api = await anApi();
    await given(api, created());
    const answer = await ask(api, { prefer: 'respond-async, wait=1' }).answer;
    expect(answer.json()).toMatchObject({ status: 'waiting' });
    expect(answer.headers['preference-applied']).toBe('wait=1');
  });

  test.each(['wait=600', `wait=${'9'.repeat(20)}`])(
    'waits at most 30 seconds: %s',
    async (prefer) => {
      const api = await anApi();
      await given(api, created());
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const waiting = ask(api, { prefer });
      await eventually(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
      await vi.advanceTimersByTimeAsync(30_000);
      expect((await waiting.answer).headers['preference-applied']).toBe('wait=30');
    },
  );

  test.each(['', 'wait', 'wait=0', 'wait=soon', 'wait=-1', 'await=9'])(
    'does not wait with Prefer: %s',
    async (prefer) => {
      const api = await anApi();
      await given(api, created());
      const { headers } = await ask(api, { prefer }).answer;
      expect(headers).not.toHaveProperty('preference-applied');
    },
  );

  test('does not wait if the status is final', async () => {
    const api = await anApi();
    await given(api, created(), arrived(), analysed());
    const answer = await ask(api).answer;
    expect(answer.json()).toMatchObject({ status: 'ready' });
    expect(answer.headers).not.toHaveProperty('preference-applied');
  });

  test('gets a response when the service stops', async () => {
    const api = await anApi();
    await given(api, created());
    const waiting = ask(api);
    await settleDown();
    await api.app.close();
    expect((await waiting.answer).statusCode).toBe(200);
  });
});

test('a thousand requests are answered by one event, and their places are free again', async () => {
  const api = await anApi();
  await given(api, created());
  const all = Array.from({ length: 1000 }, (_, i) =>
    ask(api, { remoteAddress: `10.${i % 250}.${i >> 8}.${i % 200}` }),
  );
  await expect.poll(() => settleDown().then(() => all.some(({ settled }) => settled))).toBe(false);
  await given(api, arrived());
  for (const { answer } of all) expect((await answer).json().status).toBe('processing');
  const again = ask(api);
  await settleDown();
  expect(again.settled).toBe(false);
  await given(api, analysed());
  expect((await again.answer).json().status).toBe('ready');
});

test('if too many wait, the longest waiting one of the largest network gets its response', async () => {
  const api = await anApi({ options: { maxConnections: 20 } });
  await given(api, created());
  const flood = Array.from({ length: 10 }, () => ask(api, { remoteAddress: '192.0.2.1' }));
  await settleDown();
  const other = ask(api, { remoteAddress: '198.51.100.1' });
  const neighbour = ask(api, { remoteAddress: '192.0.2.2' });
  await eventually(() => expect(flood.filter(({ settled }) => settled)).toHaveLength(2));
  expect(flood.slice(0, 2).every(({ settled }) => settled)).toBe(true);
  await settleDown();
  expect([other.settled, neighbour.settled]).toEqual([false, false]);
  await given(api, arrived());
  for (const { answer } of [...flood, other, neighbour])
    expect((await answer).statusCode).toBe(200);
});
