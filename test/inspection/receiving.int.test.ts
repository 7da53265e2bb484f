/** Tests the lookups of DNSSEC, TLSA and IPv6 against real name servers. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lookUpFromDomain } from '../../src/inspection/mail-hosts.ts';
import { lookUpReceiving } from '../../src/inspection/receiving.ts';
import type { Resolver } from '../../src/ports/dns.ts';
import { hasNameServer, MISSING, startSignedZones } from '../support/mail/signed-zones.ts';

const HASH = '0a'.repeat(32);
const ZONES = {
  signed: [
    '@ MX 10 mail',
    '@ MX 20 alias',
    '@ MX 30 mail.plain.test.',
    '@ MX 40 gone',
    'mail A 192.0.2.25',
    `_25._tcp.mail TLSA 3 1 1 ${HASH}`,
    'alias CNAME mail',
    'other A 192.0.2.26',
    'alone A 192.0.2.27',
    `_25._tcp.alone TLSA 3 1 1 ${HASH}`,
    'none MX 0 .',
    'none A 192.0.2.28',
  ].join('\n'),
  broken: '@ MX 10 mail\nmail A 192.0.2.25',
  plain: `@ MX 10 mail\n@ MX 20 mail.broken.test.\n@ MX 30 other.signed.test.\nns1 A 192.0.2.53\nmail A 192.0.2.25\n_25._tcp.mail TLSA 3 1 1 ${HASH}`,
};

const lookUp = (resolver: Resolver, domain: string) =>
  lookUpReceiving(resolver, domain, {
    from: lookUpFromDomain(resolver, domain),
    nameServers: Promise.resolve([]),
  });

describe.skipIf(!hasNameServer)(`zones of a real name server (else: ${MISSING})`, () => {
  let folder: string;
  let zones: Awaited<ReturnType<typeof startSignedZones>>;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'signed-zones-'));
    zones = await startSignedZones(folder, ZONES);
  });
  afterAll(async () => {
    await zones?.stop();
    rmSync(folder, { recursive: true });
  });

  const proved = { usage: 3, selector: 1, matching: 1, data: HASH };

  test('a signed domain is proved, and so are its hosts, but not a host elsewhere', async () => {
    const receiving = await lookUp(zones.create(true), 'signed.test');
    // Nobody connects to a host that has no address.
    expect(Object.keys(receiving.tlsa)).toEqual(['mail.signed.test', 'alias.signed.test']);
    expect(receiving).toMatchObject({
      dnssec: {
        value: {
          domain: 'secure',
          hosts: {
            'mail.signed.test': 'secure',
            'alias.signed.test': 'secure',
            'mail.plain.test': 'insecure',
            'gone.signed.test': 'secure',
          },
        },
      },
      // For a host behind an alias, the records are at the end of the alias (RFC 7672 §2.2.3).
      tlsa: {
        'mail.signed.test': { value: [proved] },
        'alias.signed.test': { value: [proved] },
      },
    });
  });

  test('a domain without MX is its own mail host, and one with a null MX has none', async () => {
    expect(await lookUp(zones.create(true), 'alone.signed.test')).toMatchObject({
      dnssec: { value: { domain: 'secure', hosts: { 'alone.signed.test': 'secure' } } },
      tlsa: { 'alone.signed.test': { value: [proved] } },
    });
    expect(await lookUp(zones.create(true), 'none.signed.test')).toMatchObject({
      dnssec: { value: { domain: 'secure', hosts: {} } },
      tlsa: {},
    });
  });

  test('a TLSA record that nothing proves is not looked up', async () => {
    const resolver = zones.create(true);
    const { dnssec, tlsa } = await lookUp(resolver, 'plain.test');
    expect(dnssec).toMatchObject({
      value: {
        domain: 'insecure',
        hosts: {
          'mail.plain.test': 'insecure',
          'mail.broken.test': 'bogus',
          'other.signed.test': 'secure',
        },
      },
    });
    expect(tlsa).toEqual({});
    expect(resolver.trace.filter(({ type }) => type === 'TLSA')).toEqual([]);
  });

  test('only signatures by a key that nobody vouches for are bogus', async () => {
    expect(await lookUp(zones.create(true), 'broken.test')).toMatchObject({
      dnssec: { value: { domain: 'bogus', hosts: {} } },
      tlsa: {},
    });
  });

  test('nothing is known from a server that is not said to validate', async () => {
    const resolver = zones.create(false);
    expect(await lookUp(resolver, 'signed.test')).toMatchObject({
      dnssec: { status: 'unknown', unseen: true },
      tlsa: {},
    });
    expect(resolver.trace.filter(({ type }) => type === 'TLSA')).toEqual([]);
  });
});
