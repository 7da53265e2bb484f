/** Tests that BIMI certificates are checked in a separate thread, with a time limit. */

import { expect, test } from 'vitest';
import { checkInWorker } from '../../../src/adapters/certificate-worker/check.ts';
import { Overloaded } from '../../../src/domain/overloaded.ts';

const workerUrl = new URL('./played-worker.ts', import.meta.url);

/** The domain in the task says what the certificate does to its worker. */
const start = (timeouts: { check: number; wait: number }) => {
  const check = checkInWorker(workerUrl, undefined, timeouts);
  return (domain: string) =>
    check({ pem: new Uint8Array(), svg: null, domain, selector: 'default', at: '' });
};

test.each(['spin', 'exit'])(
  'a certificate that makes its worker %s has no verdict, and its neighbours have theirs',
  async (what) => {
    const check = start({ check: 500, wait: 60_000 });
    const verdicts = await Promise.all(['one', what, 'two', 'three'].map(check));
    expect(verdicts.map((verdict) => verdict?.issuer)).toEqual(['one', undefined, 'two', 'three']);
  },
);

test('a certificate for which others leave no time is not judged at all', async () => {
  const check = start({ check: 2000, wait: 100 });
  const bomb = check('spin');
  await expect(check('one')).rejects.toThrow(Overloaded);
  expect(await bomb).toBeNull();
  expect(await check('two')).toMatchObject({ issuer: 'two' });
});
