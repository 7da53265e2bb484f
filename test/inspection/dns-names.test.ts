/** Tests what is found out about the DNS names at which fixes may publish records. */

import { expect, test } from 'vitest';
import { lookUpDnsNames } from '../../src/inspection/dns-names.ts';
import type { Zone } from '../environment/dns-zone.ts';
import { askZone, resolverOf } from '../lab/conformance/zone-resolver.ts';

const lookUp = (zone: Zone, hosts: readonly string[], records: readonly string[] = []) =>
  lookUpDnsNames(resolverOf(askZone(zone)), {
    ...{ domains: ['example.com'], hosts, texts: records, records },
    ...{ free: [], nameServers: [] },
  });

const SPF = 'v=spf1 -all';
const DMARC = 'v=DMARC1; p=none';
const inherited = (...records: readonly string[]) =>
  records.map((record) => ({
    type: record.split(' ', 1)[0],
    value: record.slice(record.indexOf(' ') + 1),
  }));

test.each<[string, Zone, readonly string[] | undefined]>([
  [
    'all types of the wildcard',
    { '*.example.com': { A: ['192.0.2.80'], MX: ['10 mx.example.com'], TXT: [SPF] } },
    ['A 192.0.2.80', 'MX 10 mx.example.com', `TXT ${SPF}`],
  ],
  ['a wildcard without an address', { '*.example.com': { TXT: [SPF] } }, [`TXT ${SPF}`]],
  [
    'a name with the same record as the wildcard',
    { '*.example.com': { TXT: [SPF] }, 'shop.example.com': { TXT: [SPF] } },
    undefined,
  ],
  [
    'a name with one record of its own',
    { '*.example.com': { A: ['192.0.2.80'], TXT: [SPF] }, 'shop.example.com': { TXT: [SPF] } },
    undefined,
  ],
  [
    'a name under which another name exists',
    { '*.example.com': { A: ['192.0.2.80'] }, 'a.shop.example.com': { A: ['192.0.2.1'] } },
    undefined,
  ],
  ['no wildcard', { 'shop.example.com': { TXT: [SPF] } }, undefined],
])('RFC 4592: a host inherits from a wildcard: %s', async (_, zone, records) => {
  const found = await lookUp({ 'example.com': {}, ...zone }, ['shop.example.com']);
  expect(found['shop.example.com']?.wildcard).toEqual(records && inherited(...records));
});

test.each<[string, Zone, boolean]>([
  ['a policy of the wildcard', { '*.example.com': { TXT: [DMARC] } }, true],
  ['another text of the wildcard', { '*.example.com': { TXT: [SPF] } }, true],
  [
    'a policy of its own, like that of the wildcard',
    { '*.example.com': { TXT: [DMARC] }, '_dmarc.example.com': { TXT: [DMARC] } },
    false,
  ],
])('RFC 4592: _dmarc inherits from a wildcard: %s', async (_, zone, isInherited) => {
  const found = await lookUp({ 'example.com': {}, ...zone }, [], ['_dmarc.example.com']);
  expect(found['_dmarc.example.com']?.wildcard).toEqual(isInherited ? [] : undefined);
});
