/** Tests the rate limits that clients and networks share. */

import { describe, expect, test } from 'vitest';
import { networksOf } from '../../../src/domain/fairness/networks.ts';
import { createRates } from '../../../src/domain/fairness/rates.ts';

test.each([
  ['192.0.15.201', ['192.0.8.0/21', '192.0.15.192/26', '192.0.15.201/32']],
  ['::ffff:192.0.2.25', ['192.0.0.0/21', '192.0.2.0/26', '192.0.2.25/32']],
  ['2001:db8:1:2ff:3::4', ['2001:db8::/32', '2001:db8:1::/48', '2001:db8:1:2ff::/64']],
  ['no address', ['unknown']],
  ['2001:db8:0:0:0:0:0:1:40000', ['unknown']],
  ['_hidden', ['unknown']],
  [null, ['unknown']],
])('%s is counted in %j', (ip, expected) => {
  expect(networksOf(ip)).toEqual(expected);
});

describe('amounts that clients use within a window', () => {
  const rates = (limit: number, capacity?: number) => {
    const made = createRates({
      windowMs: 60_000,
      limits: [limit, 4 * limit],
      ...(capacity !== undefined && { capacity }),
    });
    return {
      ...made,
      took: (ip: (n: number) => string, times: number, now = 0) =>
        Array.from({ length: times }, (_, n) => made.take(networksOf(ip(n)), now)).filter(Boolean)
          .length,
    };
  };

  test('a client has its limit, and all of it again after a window', () => {
    const { took } = rates(5);
    expect(took(() => '192.0.2.1', 9)).toBe(5);
    expect(took(() => '192.0.2.1', 9, 54_999)).toBe(0);
    expect(took(() => '192.0.2.1', 9, 60_000)).toBe(5);
  });

  test('amounts used at different times are forgotten in turn', () => {
    const { took } = rates(4);
    took(() => '192.0.2.1', 2, 0);
    took(() => '192.0.2.1', 2, 30_000);
    expect(took(() => '192.0.2.1', 9, 60_000)).toBe(2);
    expect(took(() => '192.0.2.1', 9, 90_000)).toBe(2);
  });

  test.each([1, 6, 30])(
    'beside %i neighbours that take all they get, a client has a share',
    (many) => {
      const { took } = rates(60);
      for (let round = 0; round < 60; round++) took((n) => `192.0.2.${n % many}`, many);
      expect(took(() => '192.0.2.62', 1)).toBe(1);
    },
  );

  test.each([1, 3, 64])('%i networks never take everything', (many) => {
    const { took } = rates(10_000, 1000);
    for (let round = 0; round < 1000; round++) took((n) => `10.${n}.0.1`, many);
    expect(took(() => '192.0.2.1', 1)).toBe(1);
  });

  test('one IPv6 /44 has at most a quarter', () => {
    const { took } = rates(10_000, 1000);
    expect(took((n) => `2001:db8:${(n % 16).toString(16)}:${n.toString(16)}::1`, 5000)).toBe(250);
  });

  test('an amount given back may be used again, but never more than was used', () => {
    const { take, giveBack, room } = rates(10);
    const path = networksOf('192.0.2.1');
    take(path, 0, 8);
    expect(take(path, 0, 3)).toBe(false);
    giveBack(path, 10_000, 6);
    expect(room(path, 10_000)).toBe(8);
    giveBack(path, 70_000, 6);
    expect(room(path, 70_000)).toBe(10);
  });

  test('a client that has used everything is told when some of it is forgotten', () => {
    const { took, take, remainingMs } = rates(2);
    took(() => '192.0.2.1', 2, 7000);
    const path = networksOf('192.0.2.1');
    const wait = remainingMs(path, 20_000);
    expect(take(path, 20_000 + wait - 1)).toBe(false);
    expect(take(path, 20_000 + wait)).toBe(true);
  });
});
