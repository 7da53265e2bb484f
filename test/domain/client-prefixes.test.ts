import { describe, expect, test } from 'vitest';
import { clientPrefixesOf, createClientCounts } from '../../src/domain/client-prefixes.ts';
import { createWindowCounts } from '../../src/domain/window-counts.ts';

const keys = (ip: string) => clientPrefixesOf(ip).map(({ key }) => key);

test.each([
  ['192.0.2.25', ['192.0.2.25/32', '192.0.2.0/24']],
  ['::ffff:192.0.2.25', ['192.0.2.25/32', '192.0.2.0/24']],
  ['2001:db8:1:2ff:3::4', ['2001:db8:1:2ff::/64', '2001:db8:1:200::/56', '2001:db8:1::/48']],
  ['no address', ['no address']],
])('%s is counted in %j', (ip, expected) => {
  expect(keys(ip)).toEqual(expected);
});

describe('what clients hold', () => {
  test('one /64 is one client, whatever address it takes', () => {
    const counts = createClientCounts(2);
    counts.add('2001:db8::1');
    counts.add('2001:db8::2');
    expect(counts.isFull('2001:db8::3')).toBe(true);
    expect(counts.isFull('2001:db8:0:1::3')).toBe(false);
  });

  test('a /48 holds four times as much as a /64', () => {
    const counts = createClientCounts(1);
    for (const subnet of [0, 256, 512, 768]) counts.add(`2001:db8:0:${subnet.toString(16)}::1`);
    expect(counts.isFull('2001:db8:0:f000::1')).toBe(true);
    expect(counts.isFull('2001:db8:1::1')).toBe(false);
  });

  test('so does an IPv4 /24, and what is given back is free', () => {
    const counts = createClientCounts(1);
    for (const host of [1, 2, 3, 4]) counts.add(`192.0.2.${host}`);
    expect(counts.isFull('192.0.2.5')).toBe(true);
    counts.remove('192.0.2.1');
    expect(counts.isFull('192.0.2.5')).toBe(false);
    expect(counts.isFull('192.0.2.2')).toBe(true);
  });
});

describe('what clients do in a window', () => {
  const LIMIT = { limit: 5, windowMs: 60_000 };
  const count = (counts: ReturnType<typeof createWindowCounts>, ip: string, now = 0) =>
    counts.add({ ip }, LIMIT, now).count;

  test('a new window counts from one', () => {
    const counts = createWindowCounts(100);
    expect([count(counts, '192.0.2.1'), count(counts, '192.0.2.1', 59_999)]).toEqual([1, 2]);
    expect(count(counts, '192.0.2.1', 60_000)).toBe(1);
  });

  test('a network counts by its share: a quarter for a /24', () => {
    const counts = createWindowCounts(100);
    const seen = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((host) => count(counts, `192.0.2.${host}`));
    expect(seen).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 3]);
  });

  test('what is refused to one client is not held against its neighbours', () => {
    const counts = createWindowCounts(100);
    for (let i = 0; i < 1000; i++) count(counts, '192.0.2.1');
    expect(count(counts, '192.0.2.1')).toBeGreaterThan(LIMIT.limit);
    expect(count(counts, '192.0.2.2')).toBe(2);
  });

  test('purposes count apart, and the longest unseen key is forgotten', () => {
    const counts = createWindowCounts(4);
    expect(counts.add({ ip: '192.0.2.1', purpose: 'a' }, LIMIT, 0).count).toBe(1);
    expect(counts.add({ ip: '192.0.2.1', purpose: 'b' }, LIMIT, 0).count).toBe(1);
    expect(counts.add({ ip: '198.51.100.1', purpose: 'c' }, LIMIT, 0).count).toBe(1);
    expect(counts.add({ ip: '192.0.2.1', purpose: 'a' }, LIMIT, 0).count).toBe(1);
  });
});
