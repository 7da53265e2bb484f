/** Tests the limit on new names below one domain that a network may have looked up. */

import { expect, test } from 'vitest';
import { createNewNames, newNameCounts } from '../../../src/adapters/dns/new-names.ts';

const zoneOf = (name: string) => name.split('.').slice(-2).join('.');
const NOW = 1_800_000_000_000;

/** Returns how many of the given number of new names a network may ask for. */
const ask = (
  names: ReturnType<typeof createNewNames>,
  network: string,
  count: number,
  zone = 'victim.example',
) =>
  Array.from({ length: count }, (_, i) => `${network}-${i}.${zone}`).filter((name) =>
    names.admit(name, 'TXT', network, NOW),
  ).length;

test('one network may use a quarter of the new names of a domain', () => {
  const names = createNewNames(zoneOf);
  expect(ask(names, '198.51.100.0/24', 5000)).toBe(600);
  expect(ask(names, '198.51.100.0/24', 100, 'other.example')).toBe(100);
});

test('many networks may use three quarters together, and the rest is for those that ask for few', () => {
  const names = createNewNames(zoneOf);
  const floods = Array.from({ length: 10 }, (_, i) => ask(names, `198.51.${i}.0/24`, 600));
  expect(floods.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(2400);
  const all = Array.from({ length: 200 }, (_, i) => ask(names, `203.0.${i}.0/24`, 100));
  expect([...floods, ...all].reduce((sum, one) => sum + one, 0)).toBe(2400);
});

test('an honest email is served beside nine networks that flood its domain', () => {
  const names = createNewNames(zoneOf);
  for (let i = 0; i < 4; i++) ask(names, `198.51.${i}.0/24`, 600);
  expect(ask(names, '192.0.2.0/24', 60)).toBe(60);
});

test('each record type of a name counts', () => {
  const names = createNewNames(zoneOf);
  ask(names, 'a', 600);
  expect(names.admit('a-1.victim.example', 'MX', 'a', NOW)).toBe(false);
});

test('a name is no longer new for five minutes, and the counts are per minute', () => {
  const names = createNewNames(zoneOf);
  ask(names, 'a', 600);
  expect(names.admit('a-1.victim.example', 'TXT', 'b', NOW)).toBe(true);
  expect(names.admit('x.victim.example', 'TXT', 'a', NOW)).toBe(false);
  expect(names.admit('x.victim.example', 'TXT', 'a', NOW + 60_000)).toBe(true);
});

test('threads count together', () => {
  const counts = newNameCounts();
  const threads = [createNewNames(zoneOf, counts), createNewNames(zoneOf, counts)];
  expect(threads.map((names) => ask(names, 'a', 500))).toEqual([500, 100]);
});
