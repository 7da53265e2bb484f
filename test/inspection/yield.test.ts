/** Tests that the reading of many long records lets other work run. */

import { expect, test } from 'vitest';
import { checkHost } from '../../src/adapters/mailauth/check-host.ts';
import type { DkimSignatureHeader } from '../../src/analysis/dkim/parse.ts';
import { lookUpKeys } from '../../src/inspection/dkim.ts';
import { aboutOf, lookUpSpf } from '../../src/inspection/spf.ts';
import { askZone, resolverOf } from '../lab/conformance/zone-resolver.ts';

/** Returns how often the event loop turns in the meantime. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  await work();
  clearImmediate(timer);
  return turns;
}

const MANY = 20;
const names = Array.from({ length: MANY }, (_, n) => `n${n}.example`);

test.each([
  ['long', `v=DKIM1; ${'a=;'.repeat(20_000)}`, MANY],
  ['short', 'v=DKIM1; p=', 0],
])('each of the %s key records gets its own turn', async (_, record, turns) => {
  const zone = names.map((name) => [`s._domainkey.${name}`, { TXT: [record] }] as const);
  const resolver = resolverOf(askZone(Object.fromEntries(zone)));
  const signatures = names.map((domain) => ({ domain, selector: 's' }) as DkimSignatureHeader);
  const seen = await turnsOf(() => lookUpKeys(resolver, signatures));
  expect(Math.min(seen, MANY)).toBe(turns);
});

test('SPF records that arrive at once are read one per turn', async () => {
  const long = `v=spf1 ${'ip4:203.0.113.1 '.repeat(3000)}-all`;
  const zone = names.map((name) => [name, { TXT: [long] }] as const);
  const own = { TXT: [`v=spf1 ${names.map((name) => `include:${name}`).join(' ')} -all`] };
  const resolver = resolverOf(askZone({ ...Object.fromEntries(zone), 'example.com': own }));
  const subject = { ip: '192.0.2.25', helo: null, localPart: 'a', domain: 'example.com' };
  const look = () =>
    lookUpSpf(resolver, aboutOf({ checkHost, resolver }, subject), {
      nullSender: false,
      helo: null,
    });
  expect(await turnsOf(look)).toBeGreaterThanOrEqual(MANY);
});
