/**
 * Runs the tests of every key-value bucket on a real nats-server, and tests that an unreadable
 * entry is replaced.
 */

import { expect, test } from 'vitest';
import { kvClaims } from '../../../src/adapters/nats/claims.ts';
import { kvProjection } from '../../../src/adapters/nats/projection.ts';
import { describeViews, isView } from '../../contracts/views.ts';
import { startLogs } from '../../support/log/nats-log.ts';

describeViews('on a nats-server', async () => {
  const { connection, ...rest } = await startLogs();
  return {
    views: kvProjection(connection, { bucket: 'status', isValue: isView }),
    claims: kvClaims(connection),
    ...rest,
  };
});

test('an entry that cannot be read counts as missing, and is replaced', async () => {
  const { connection, end } = await startLogs();
  const views = kvProjection(connection, { bucket: 'status', isValue: isView });
  await connection.js.publish('$KV.status.abcdefgh2345', 'flipped');
  expect(await views.get('abcdefgh2345')).toBeUndefined();
  const line = { seq: 1, text: 'whole' };
  expect(await views.put('abcdefgh2345', line)).toBe('written');
  expect(await views.get('abcdefgh2345')).toEqual(line);
  await end();
});
