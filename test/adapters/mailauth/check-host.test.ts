/** Tests the SPF evaluation of the adapter where it corrects the library. */

import { expect, test } from 'vitest';
import { checkHost } from '../../../src/adapters/mailauth/check-host.ts';
import type { DnsAnswer } from '../../../src/ports/dns.ts';
import { askZone } from '../../lab/conformance/zone-resolver.ts';

const sender = { ip: '192.0.2.25', helo: 'h.example', localPart: 'news', domain: 'example.com' };

const ask = (record: string) =>
  askZone({ 'example.com': { TXT: [record] }, 'example.com.x.example': { A: ['127.0.0.2'] } });

test.each([
  ['unasked', 'temperror'],
  ['asked in vain', 'fail'],
])('a reverse name that was %s gives %s', async (how, result) => {
  const silent = { status: 'failed', error: 'TIMEOUT' } as const;
  const answer: DnsAnswer<unknown> = how === 'unasked' ? { ...silent, unasked: true } : silent;
  const zone = ask('v=spf1 ptr -all');
  const verdict = checkHost(sender, async (name, type) =>
    type === 'PTR' ? answer : zone(name, type),
  );
  expect(await verdict).toMatchObject({ result });
});

test.each([
  ['9'.repeat(60_000), 'pass'],
  ['0'.repeat(60_000), 'permerror'],
  [`${'0'.repeat(60_000)}2`, 'pass'],
])('a macro of 60,000 digits is a count like any other', async (count, result) => {
  const record = `v=spf1 exists:%{d${count}}.x.example -all`;
  expect(await checkHost(sender, ask(record))).toMatchObject({ result });
});

test('macros use the same parts of a name that the library does not treat as names', async () => {
  const zone = askZone({
    'a_b.c_d.example.com': { TXT: ['v=spf1 exists:%{o3r}.%{d1r}.x.example -all'] },
    'example.c_d.a_b.a_b.x.example': { A: ['127.0.0.2'] },
    'com.example.c_d.a_b.x.example': { A: ['127.0.0.2'] },
  });
  const asked: string[] = [];
  const domain = 'a_b.c_d.example.com';
  await checkHost({ ...sender, domain }, (name, type) => {
    asked.push(name);
    return zone(name, type);
  });
  expect(asked).toEqual([domain, 'example.c_d.a_b.a_b.x.example']);
});
