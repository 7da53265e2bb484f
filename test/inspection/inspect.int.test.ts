/**
 * Tests which facts the inspection of an email finds with a real DNS server: for faulty zones and emails,
 * when DNS fails, and when our own resolver is down. Also tests that mail hosts are contacted only after
 * acceptance.
 */

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createNewResolver } from '../../src/adapters/dns/resolver.ts';
import { startDnsServer } from '../environment/dns-server.ts';
import {
  ARRIVAL,
  about,
  type InspectionEnvironment,
  readFacts,
  readHere,
  rightMail,
  rightZone,
  sign,
  startInspectionEnvironment,
  toBytes,
  zoneWith,
} from '../support/mail/inspection-environment.ts';

let environment: InspectionEnvironment;
let signed: string;
beforeAll(async () => {
  environment = await startInspectionEnvironment();
  signed = await sign(rightMail);
});
afterAll(() => environment.stop());
beforeEach(() => environment.dns.setZone(rightZone));

const arrival = { receivedAt: ARRIVAL, expiresAt: '2026-11-21T10:00:05.000Z' };

const inspect = (
  mail = signed,
  changes: Partial<typeof about> = {},
  inspect = environment.inspect,
) => readFacts(inspect({ ...about, ...changes }), toBytes(mail), arrival);

const known = (value: object) => ({ status: 'known', value: expect.objectContaining(value) });

test('a correct email passes everything', async () => {
  const { gate, facts } = await inspect();
  expect(gate).toMatchObject({
    spf: known({ report: expect.objectContaining({ result: 'pass', aligned: true }) }),
    dkim: { value: { signatures: [{ report: { result: 'pass', aligned: true } }] } },
    dmarc: { value: { report: { result: 'pass', effective_policy: 'reject' } } },
    blocklists: [{ list: 'psbl.surriel.com', status: 'not_listed' }],
    headerFromDomain: 'example.com',
    resolverDown: false,
  });
  expect(facts).toMatchObject({
    sizeBytes: signed.length,
    names: {
      fromDomain: 'example.com',
      fromOrganizationalDomain: 'example.com',
      envelopeDomain: 'example.com',
      fromDomainExists: { value: true },
      fromMx: { value: { mx: ['mail.example.com'], nullMx: false, hasAddress: true } },
    },
    connection: {
      ptr: { value: ['mail.example.com'] },
      forward: { value: { confirmed: true, confirmedNames: ['mail.example.com'] } },
      heloAddresses: { value: ['192.0.2.25'] },
      spamcop: { value: 'not_listed' },
    },
    spf: {
      value: {
        report: {
          record: 'v=spf1 ip4:192.0.2.25 -all',
          lookups: 0,
          matched_term: 'ip4:192.0.2.25',
          helo_result: 'pass',
        },
        syntaxFaults: [],
        effectiveAll: '-',
      },
    },
    dkim: {
      value: {
        total: 1,
        signatures: [
          {
            report: { key_bits: 2048, body_hash: 'match', key: { type: 'rsa', revoked: false } },
            keyFaults: [],
            unsignedHeaders: [],
          },
        ],
      },
    },
    dmarc: {
      value: {
        report: { rua: [{ uri: 'mailto:dmarc@example.com', external: false, has_mx: true }] },
        decided: true,
        inherited: false,
      },
    },
    arc: { value: { report: { result: 'none', sets: 0 } } },
    bimi: { value: { report: { result: 'none' } } },
    transport: { mtaSts: { value: { state: 'absent' } }, tlsRpt: { value: { state: 'valid' } } },
    headers: { status: 'known' },
    content: { status: 'known' },
    links: { status: 'known' },
    provider: null,
    partialErrors: [],
  });
});

test.each<[string, Parameters<typeof zoneWith>[0], object]>([
  [
    'no SPF record',
    { 'example.com': { A: ['192.0.2.80'] } },
    {
      spf: known({
        report: expect.objectContaining({ result: 'none', records: [], record: null }),
      }),
    },
  ],
  [
    'a record at _spf. alone',
    { 'example.com': { A: ['192.0.2.80'] }, '_spf.example.com': { TXT: ['v=spf1 -all'] } },
    { spf: known({ syntaxFaults: [expect.objectContaining({ severity: 'fail' })] }) },
  ],
  [
    'two SPF records',
    { 'example.com': { TXT: ['v=spf1 a -all', 'v=spf1 mx -all'] } },
    { spf: known({ report: expect.objectContaining({ result: 'permerror', record: null }) }) },
  ],
  [
    'another IP in SPF',
    { 'example.com': { TXT: ['v=spf1 ip4:192.0.2.1 ~all'] } },
    {
      spf: known({
        report: expect.objectContaining({
          result: 'softfail',
          matched_term: '~all',
          aligned: false,
        }),
      }),
    },
  ],
  [
    'a missing key',
    { 's1._domainkey.example.com': null },
    {
      dkim: {
        value: { signatures: [{ report: { result: 'permerror', reason: 'no_key', key: null } }] },
      },
    },
  ],
  [
    'a revoked key',
    { 's1._domainkey.example.com': { TXT: ['v=DKIM1; p='] } },
    {
      dkim: {
        value: {
          signatures: [
            {
              report: { result: 'permerror', reason: 'key_revoked', key: { revoked: true } },
              keyFaults: [{ severity: 'fail' }],
            },
          ],
        },
      },
    },
  ],
  [
    'no DMARC record',
    { '_dmarc.example.com': null },
    { dmarc: known({ anyRecord: false, report: expect.objectContaining({ policy: null }) }) },
  ],
  [
    'no PTR',
    { '25.2.0.192.in-addr.arpa': null },
    { connection: expect.objectContaining({ ptr: { status: 'known', value: [] } }) },
  ],
  [
    'a PTR that does not resolve back',
    { '25.2.0.192.in-addr.arpa': { PTR: ['example.com'] } },
    {
      connection: {
        forward: { value: { confirmed: false, addresses: { 'example.com': ['192.0.2.80'] } } },
      },
    },
  ],
  [
    'a listing at SpamCop and PSBL',
    {
      '25.2.0.192.bl.spamcop.net': { A: ['127.0.0.2'] },
      '25.2.0.192.psbl.surriel.com': { A: ['127.0.0.2'] },
    },
    { connection: { spamcop: { value: 'listed' }, blocklists: [{ status: 'listed' }] } },
  ],
  [
    'a broken MTA-STS record',
    { '_mta-sts.example.com': { TXT: ['v=STSv1; id=a-b'] } },
    { transport: { mtaSts: { value: { state: 'broken' } } } },
  ],
  [
    'a declined BIMI record',
    { 'default._bimi.example.com': { TXT: ['v=BIMI1; l=; a=;'] } },
    { bimi: { value: { declined: true, report: { result: 'declined' } } } },
  ],
  [
    'a From domain that does not exist',
    {
      'example.com': null,
      'mail.example.com': null,
      '_dmarc.example.com': null,
      's1._domainkey.example.com': null,
      '_smtp._tls.example.com': null,
    },
    { names: { fromDomainExists: { value: false } } },
  ],
])('%s is a fact', async (_, changes, expected) => {
  environment.dns.setZone(zoneWith(changes));
  const { facts } = await inspect();
  expect(facts).toMatchObject(expected);
});

test('a body that was changed on the way fails, whatever the key', async () => {
  const { facts } = await inspect(signed.replace('Thank you', 'Thanks'));
  expect(facts.dkim).toMatchObject({
    value: {
      signatures: [
        { report: { result: 'fail', reason: 'body_hash_mismatch', body_hash: 'mismatch' } },
      ],
    },
  });
});

test.each<[string, object]>([
  ['example.com', { spf: { status: 'unknown', error: 'dns: TXT example.com: SERVFAIL' } }],
  [
    's1._domainkey.example.com',
    { dkim: { value: { signatures: [{ report: { result: 'temperror', reason: 'dns' } }] } } },
  ],
  [
    '_dmarc.example.com',
    { dmarc: { status: 'unknown', error: 'dns: TXT _dmarc.example.com: SERVFAIL' } },
  ],
  [
    '25.2.0.192.in-addr.arpa',
    {
      connection: {
        ptr: { status: 'unknown', error: 'dns: PTR 25.2.0.192.in-addr.arpa: SERVFAIL' },
      },
    },
  ],
  ['25.2.0.192.bl.spamcop.net', { connection: { spamcop: { status: 'unknown' } } }],
  ['25.2.0.192.psbl.surriel.com', { connection: { blocklists: [{ status: 'unavailable' }] } }],
  ['_smtp._tls.example.com', { transport: { tlsRpt: { status: 'unknown' } } }],
])('SERVFAIL at %s makes its fact unknown, and no other', async (name, expected) => {
  const before = (await inspect()).facts;
  environment.dns.setFault(name, 'SERVFAIL');
  try {
    const { facts, gate } = await inspect();
    expect(facts).toMatchObject(expected);
    expect(gate.resolverDown).toBe(false);
    expect(facts.content).toEqual(before.content);
  } finally {
    environment.dns.setFault(name, null);
  }
});

test('a resolver that answers nothing is our fault', async () => {
  environment.dns.setFault('*', 'TIMEOUT');
  try {
    const servers = [environment.dns.address];
    const inspect = environment.create({
      newResolver: createNewResolver({ servers, timeoutMs: 150, tries: 1 }),
    });
    const inspection = inspect(about);
    const inspected = await inspection.read(toBytes(signed));
    expect(inspected.gate).toMatchObject({ resolverDown: true });
    inspected.end();
  } finally {
    environment.dns.setFault('*', null);
  }
});

test.each([
  ['example.com', 'TIMEOUT', 'is not answered, and our own zone is', false],
  ['*.own.example', 'TIMEOUT', 'is not answered, but everything about the email is', false],
  ['example.com *.own.example', 'TIMEOUT', 'are not answered', true],
  ['example.com *.own.example', 'SERVFAIL', 'are not answered', true],
  ['_smtp._tls.example.com *.own.example', 'TIMEOUT', 'are not answered', true],
] as const)('when %s (%s) %s, our fault is %s', async (names, fault, _, isOurs) => {
  for (const name of names.split(' ')) environment.dns.setFault(name, fault);
  try {
    const servers = [environment.dns.address];
    const inspect = environment.create({
      newResolver: createNewResolver({
        ...{ servers, timeoutMs: 2000, tries: 1 },
        controlZone: 'own.example',
      }),
    });
    const inspected = await inspect(about).read(toBytes(signed));
    const outcome = inspected.gate.resolverDown
      ? 'down'
      : await inspected.facts({ receivedAt: ARRIVAL, expiresAt: ARRIVAL }).catch(String);
    inspected.end();
    expect(outcome === 'down' || outcome === 'Overloaded').toBe(isOurs);
  } finally {
    for (const name of names.split(' ')) environment.dns.setFault(name, null);
  }
});

test('a resolver that disappears halfway is our fault', async () => {
  const dns = await startDnsServer({ zone: rightZone });
  const inspect = environment.create({
    newResolver: createNewResolver({ servers: [dns.address], timeoutMs: 2000, tries: 1 }),
    beginReading: (mail, job, resolver) => {
      void dns.stop();
      return readHere(mail, job, resolver);
    },
  });
  const inspected = await inspect(about).read(toBytes(signed));
  expect(inspected.gate.resolverDown).toBe(true);
  inspected.end();
});

test('an invalid chain is reported with its sets', async () => {
  const { facts } = await inspect(
    `ARC-Seal: i=1; cv=none; d=relay.example; s=a1; b=AAAA\r\n${signed}`,
  );
  expect(facts.arc).toEqual(
    known({ report: expect.objectContaining({ result: 'fail', sets: 1 }) }),
  );
});

test('a null sender is judged by its HELO name', async () => {
  const { facts } = await inspect(signed, { from: { localPart: '', domain: '', smtputf8: false } });
  expect(facts.names).toMatchObject({ nullSender: true, envelopeDomain: 'mail.example.com' });
  expect(facts.spf).toMatchObject({ value: { report: { scope: 'helo', result: 'pass' } } });
});

test('no fact quotes the local parts of an email', async () => {
  const local = 'canary7q';
  const mail = await sign(rightMail.replaceAll('news@', `${local}@`));
  environment.dns.setZone(
    zoneWith({ 'example.com': { TXT: [`v=spf1 exists:%{l}.%{s}.example.com ?all`] } }),
  );
  const { facts, gate } = await inspect(mail, {
    from: { localPart: local, domain: 'example.com', smtputf8: false },
  });
  expect(environment.dns.queries.some(({ name }) => name.startsWith(`${local}.`))).toBe(true);
  expect(JSON.stringify([facts, gate])).not.toContain(local);
});

test('the bytes are overwritten', async () => {
  const bytes = toBytes(signed);
  const inspected = await environment.inspect(about).read(bytes);
  await inspected.facts({ receivedAt: ARRIVAL, expiresAt: ARRIVAL });
  // The bytes are overwritten as soon as the content has been read.
  expect(bytes.every((byte) => byte === 0)).toBe(true);
  inspected.end();
});

test('mail hosts are contacted only for an accepted email', async () => {
  const visited: string[] = [];
  const inspected = await environment
    .create({
      async visitMailHost({ host }) {
        visited.push(host);
        return { status: 'known', value: { version: 'TLSv1.3', fault: null, named: null } };
      },
    })(about)
    .read(toBytes(signed));
  await inspected.awaitLookups();
  expect(visited).toEqual([]);
  const facts = await inspected.facts(arrival);
  inspected.end();
  expect(visited).toEqual(['mail.example.com']);
  expect(facts).toMatchObject({
    receiving: { starttls: { 'mail.example.com': { status: 'known' } } },
  });
});
