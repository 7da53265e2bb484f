import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

/** What a logger writes, line by line. */
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

test('an error is told by name, code and place, never by its message', () => {
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
  '%s that is thrown is told by its type',
  (thrown) => {
    const { lines, logger } = captured();
    logger.error({ err: thrown }, 'it broke');
    expect(JSON.stringify(lines)).not.toContain('a string');
    expect(lines).toHaveLength(1);
  },
);

test('every metric has a help text and starts without a value of a mail', async () => {
  const text = await createMetrics().source.metrics();
  for (const name of ['mails_total', 'tests', 'poison_events_total', 'wallet_balance_wei'])
    expect(text).toMatch(new RegExp(`# HELP ${name} \\S`));
});
