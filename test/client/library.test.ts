/** Tests how the library refuses arguments that a program may pass by mistake. */

import { expect, test } from 'vitest';
import { createTest, waitForResult } from '../../src/client/library.ts';

const someTest = { service: 'http://127.0.0.1:1', testId: 'abcdefgh2345', retryFor: 0 };

test.each([Number.NaN, -1, Number.POSITIVE_INFINITY, 86_401, 'soon' as unknown as number])(
  'a timeout of %s is refused before the service is asked',
  async (timeout) => {
    const message = `timeout must be a number of seconds from 0 to 86400, not ${timeout}.`;
    const refused = { code: 'invalid_command', message };
    await expect(waitForResult(someTest, { timeout })).rejects.toMatchObject(refused);
  },
);

test('a service that is not set, and a retryFor that is no number, are refused by name', async () => {
  const unset = createTest({ service: undefined as unknown as string });
  await expect(unset).rejects.toThrow(/must be a URL.*not undefined/);
  const never = createTest({ ...someTest, retryFor: Number.NaN });
  await expect(never).rejects.toThrow(/^retryFor must be a number of seconds/);
});
