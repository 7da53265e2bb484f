/**
 * Tests that the log describes errors without their messages, and the metrics: names, help texts,
 * unknown values and counts of polls.
 */

import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics, POLL_LABELS } from '../../src/telemetry/metrics.ts';

/** Returns a logger and the lines that it writes. */
function captured() {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  return { lines, logger: createLogger('info', stream) };
}

test('an error is described by name, code and place, never by its message', () => {
  const { lines, logger } = captured();
  const cause = new Error('inner secret');
  const error = Object.assign(new TypeError('secret\n    at secret:1:2', { cause }), {
    code: 'E_X',
  });
  logger.error({ err: error }, 'it broke');
  expect(lines).toMatchObject([
    {
      level: 'error',
      msg: 'it broke',
      err: { name: 'TypeError', code: 'E_X', cause: { name: 'Error' } },
    },
  ]);
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test.each([['a string'], [42], [null], [undefined]])(
  'a thrown %s is described by its type',
  (thrown) => {
    const { lines, logger } = captured();
    logger.error({ err: thrown }, 'it broke');
    expect(JSON.stringify(lines)).not.toContain('a string');
    expect(lines).toHaveLength(1);
  },
);

test('every metric of ours has its prefix and a help text', async () => {
  const text = await createMetrics().source.metrics();
  for (const name of ['mails_total', 'tests', 'frozen', 'wallet_balance_wei'])
    expect(text).toMatch(new RegExp(`# HELP deliverability_${name} \\S`));
  const others = [...text.matchAll(/^# HELP (\w+)/gm)].filter(
    ([, name = '']) => !/^(deliverability|nodejs|process)_/.test(name),
  );
  expect(others).toEqual([]);
});

test('an unknown value raises no alarm: a service that sells nothing cannot fail to sell', async () => {
  const text = await createMetrics().source.metrics();
  for (const name of ['can_sell', 'wallet_settlements'])
    expect(text).toMatch(new RegExp(`^deliverability_${name} nan$`, 'im'));
});

test('polls are counted with all other requests, once, however often the metrics are read', async () => {
  const { countAnswer, countPoll, source } = createMetrics();
  countPoll(0.001);
  countAnswer(POLL_LABELS, 0.001);
  countAnswer({ ...POLL_LABELS, class: '4xx' }, 0.001);
  const read = async () =>
    (await source.metrics())
      .split('\n')
      .filter((line) => /_(requests_total|seconds_count)\b.* [1-9]/.test(line))
      .map((line) => line.replace(/^deliverability_|method="GET",route=".*",/g, ''));
  const counts = [
    'http_requests_total{class="4xx"} 1',
    'http_requests_total{class="2xx"} 2',
    'poll_seconds_count 2',
  ];
  expect(await read()).toEqual(counts);
  expect(await read()).toEqual(counts);
});
