/** Tests that errors are logged without the words of their messages. */

import { expect, test } from 'vitest';
import { describeError, outageKind } from '../../src/domain/describe-error.ts';
import { freePorts } from '../environment/free-ports.ts';

/** Words of an email that look like a place in the code. */
const WORDS = 'secret\n    at secret (/secret.ts:1:2)';

test('an error is described by name, code and place, and so is its cause', () => {
  const cause = new RangeError(WORDS);
  const described = describeError(Object.assign(new TypeError(WORDS, { cause }), { code: 'E_X' }));
  expect(described).toMatchObject({
    name: 'TypeError',
    code: 'E_X',
    cause: { name: 'RangeError' },
  });
  expect(described.at[0]).toContain('describe-error.test.ts');
  expect(described.at.length).toBeLessThanOrEqual(8);
});

test('no word of a message is shown', () => {
  const described = describeError(new Error(WORDS, { cause: new Error(WORDS) }));
  expect(JSON.stringify(described)).not.toContain('secret');
});

test.each(['secret', 42, null, undefined, { message: 'secret' }])(
  '%j that is thrown is described by its type',
  (thrown) => {
    expect(describeError(thrown)).toEqual({ name: typeof thrown, at: [] });
  },
);

test('a connection that is refused shows as ECONNREFUSED, whatever wraps it', async () => {
  const [port] = await freePorts(1);
  const refused = await fetch(`http://127.0.0.1:${port}`).catch((error: unknown) => error);
  const wrapped = new Error(WORDS, { cause: refused });
  expect(JSON.stringify(describeError(wrapped))).toContain('"code":"ECONNREFUSED"');
});

test.each([
  [{ status: 401 }, 'HTTP 401'],
  [new Error(WORDS, { cause: Object.assign(new Error(WORDS), { status: 503 }) }), 'HTTP 503'],
  [new AggregateError([Object.assign(new Error(), { code: 'ETIMEDOUT' })]), 'ETIMEDOUT'],
  [Object.assign(new Error(WORDS), { code: WORDS }), 'Error'],
  [Object.assign(new Error(), { code: 'SELF_SIGNED_CERT_IN_CHAIN' }), 'SELF_SIGNED_CERT_IN_CHAIN'],
  [
    Object.assign(new Error(), { code: 'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE' }),
    'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
  ],
  [new DOMException(WORDS, 'TimeoutError'), 'TimeoutError'],
  ['secret', 'unknown'],
])('the reason for a missing answer is one word of ours or the system’s: %#', (error, kind) => {
  expect(outageKind(error)).toBe(kind);
});

test('codes that are numbers and the status of an answer are shown', () => {
  const error = Object.assign(new Error(WORDS), { code: -32_000, status: 429 });
  expect(describeError(error)).toMatchObject({ code: -32_000, status: 429 });
});

test('of several failed attempts, the first is shown', () => {
  const first = Object.assign(new Error(WORDS), { code: 'ETIMEDOUT' });
  expect(describeError(new AggregateError([first], WORDS))).toMatchObject({
    cause: { code: 'ETIMEDOUT' },
  });
});
