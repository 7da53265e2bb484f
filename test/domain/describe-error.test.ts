import { expect, test } from 'vitest';
import { describeError } from '../../src/domain/describe-error.ts';

/** Words of a mail, set so that they look like a place in the code. */
const WORDS = 'secret\n    at secret (/secret.ts:1:2)';

test('an error is described by name, code and place, and so is its cause', () => {
  const cause = new RangeError(WORDS);
  const said = describeError(Object.assign(new TypeError(WORDS, { cause }), { code: 'E_X' }));
  expect(said).toMatchObject({ name: 'TypeError', code: 'E_X', cause: { name: 'RangeError' } });
  expect(said.at[0]).toContain('describe-error.test.ts');
  expect(said.at.length).toBeLessThanOrEqual(8);
});

test('no word of a message is shown', () => {
  const said = describeError(new Error(WORDS, { cause: new Error(WORDS) }));
  expect(JSON.stringify(said)).not.toContain('secret');
});

test.each(['secret', 42, null, undefined, { message: 'secret' }])(
  '%j that is thrown is described by its type',
  (thrown) => {
    expect(describeError(thrown)).toEqual({ name: typeof thrown, at: [] });
  },
);
