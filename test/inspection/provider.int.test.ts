/** Tests the inspection of emails that an inbound provider delivers. */

import { sealMessage } from 'mailauth/lib/arc/index.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Facts } from '../../src/analysis/facts.ts';
import { judgeGate } from '../../src/analysis/gate.ts';
import { providers } from '../../src/analysis/provider/providers.ts';
import { makeReport } from '../../src/analysis/report.ts';
import {
  ARRIVAL,
  about,
  type InspectionEnvironment,
  keyRecord,
  keys,
  readFacts,
  rightMail,
  rightZone,
  sign,
  startInspectionEnvironment,
  toBytes,
} from '../support/mail/inspection-environment.ts';
import { headerLines, providerHeaders } from '../support/mail/provider.ts';

const DOMAIN = 'cloudflare-email.net';
const KEY_NAME = `cf2024-1._domainkey.${DOMAIN}`;
const zone = { ...rightZone, [KEY_NAME]: { TXT: [keyRecord] } };
const TO = 'abcdefghijkl@in.example.net';
const base = providerHeaders({ to: TO });

let environment: InspectionEnvironment;
let signed: string;
beforeAll(async () => {
  environment = await startInspectionEnvironment();
  signed = await sign(rightMail);
});
afterAll(() => environment.stop());
beforeEach(() => environment.dns.setZone(zone));

type Fields = Readonly<Record<string, string | null>>;

/** Makes an ARC set over the email with our own key, as the fields that the provider would write. */
async function seal(mail: string, cv = 'none', domain = DOMAIN): Promise<Fields> {
  const headers = await sealMessage(mail, {
    signingDomain: domain,
    selector: 'cf2024-1',
    privateKey: keys.privateKey as never,
    cv: cv as never,
    authResults: base['authentication-results'],
    signTime: new Date(ARRIVAL),
  });
  const fields = String(headers)
    .trimEnd()
    .split(/\r\n(?=\S)/);
  const entries = fields.map((field) => {
    const colon = field.indexOf(':');
    return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * Returns the email as the provider delivers it: with its headers, sealed by our key, above the sender's.
 */
const handOver = async (mail: string, changes: Fields = {}, cv = 'none') =>
  headerLines({ ...base, ...(await seal(mail, cv)), ...changes }) + mail;

const ENVELOPE = { from: 'bounce@example.com', to: TO };

async function inspect(mail: string) {
  const block = providers.cloudflare(toBytes(mail), ENVELOPE) ?? undefined;
  const tls = { status: 'not_observable', version: null, cipher: null } as const;
  const client = block?.client ?? { ip: null, helo: null, source: 'unknown' as const };
  const inspection = environment.inspect({ ...about, client: { ...client, tls } });
  const expiresAt = '2026-11-21T10:00:05.000Z';
  const { gate, facts } = await readFacts(inspection, toBytes(mail), { block, expiresAt });
  return { gate, facts, refused: judgeGate(gate) };
}

describe('an email with the provider’s headers', () => {
  test('is judged as the sender handed it over', async () => {
    const { facts, refused } = await inspect(await handOver(signed));
    expect(refused).toEqual([]);
    expect(facts).toMatchObject({
      sizeBytes: signed.length,
      connection: {
        ip: '192.0.2.25',
        helo: 'mail.example.com',
        source: 'received-spf',
        tls: { status: 'not_observable' },
        forward: { value: { confirmed: true } },
      },
      spf: { value: { report: { result: 'pass' } } },
      dkim: { value: { signatures: [{ report: { result: 'pass' } }] } },
      dmarc: { value: { report: { result: 'pass' } } },
      arc: { value: { report: { result: 'none', sets: 0, provider_set_excluded: true } } },
      headers: { value: { hops: 0, duplicates: [] } },
      provider: {
        source: 'arc-authentication-results',
        seal_verified: true,
        differs_from_ours: [],
        spam_score: 1,
      },
      partialErrors: [],
    });
  });

  test('gives the facts of the same email by SMTP, except for its route', async () => {
    const { facts } = await inspect(await handOver(signed));
    const { facts: same } = await readFacts(environment.inspect(about), toBytes(signed), facts);
    const comparable = ({ provider, connection, arc, ...rest }: Facts) => rest;
    expect(comparable(facts)).toEqual(comparable(same));
  });

  test('reaches the report, but no local part does', async () => {
    const canary = signed.replace('Your order', 'canary-subject');
    const { facts } = await inspect(await handOver(canary));
    const report = makeReport(facts, ARRIVAL);
    expect(report.cloudflare).toMatchObject({ authserv_id: 'mx.cloudflare.net' });
    expect(report.connection).toMatchObject({ ip: '192.0.2.25', source: 'received-spf' });
    expect(JSON.stringify(report)).not.toMatch(/bounce@|canary|"AbCdEf/);
  });
});

describe('the seal', () => {
  test('of a changed email does not verify', async () => {
    const mail = await handOver(signed);
    const { facts } = await inspect(mail.replace('Thank you', 'Thank me'));
    expect(facts.provider).toMatchObject({ seal_verified: false });
  });

  test('with changed results does not verify', async () => {
    const fields = await seal(signed);
    const results = fields['arc-authentication-results'] as string;
    const forged = results.replace('dmarc=pass', 'dmarc=fail');
    const { facts } = await inspect(
      await handOver(signed, {
        'arc-authentication-results': forged,
        'authentication-results': null,
      }),
    );
    expect(facts.provider).toMatchObject({
      seal_verified: false,
      dmarc: { result: 'fail' },
      differs_from_ours: ['dmarc'],
    });
    expect(facts.dmarc).toMatchObject({ value: { report: { result: 'pass' } } });
  });

  test.each([
    ['does not answer', 'SERVFAIL', null],
    ['is not there', null, false],
  ] as const)('is %s when its key is such', async (_, fault, verified) => {
    const { [KEY_NAME]: __, ...without } = zone;
    environment.dns.setZone(fault ? { ...without, [KEY_NAME]: fault } : without);
    const { facts } = await inspect(await handOver(signed));
    expect(facts.provider?.seal_verified).toBe(verified);
  });

  test('is not the sender’s own if the provider left its own out', async () => {
    const own = headerLines(await seal(signed, 'none', 'example.com')) + signed;
    environment.dns.setZone({ ...zone, 'cf2024-1._domainkey.example.com': { TXT: [keyRecord] } });
    const { facts } = await inspect(
      headerLines({
        ...base,
        'arc-seal': null,
        'arc-message-signature': null,
        'arc-authentication-results': null,
      }) + own,
    );
    expect(facts.provider).toMatchObject({
      seal_verified: null,
      source: 'authentication-results',
    });
    expect(facts.arc).toMatchObject({ value: { report: { result: 'pass', sets: 1 } } });
  });

  test('above the sender’s chain is stripped, and the chain keeps its instances', async () => {
    const own = headerLines(await seal(signed, 'none', 'example.com')) + signed;
    environment.dns.setZone({ ...zone, 'cf2024-1._domainkey.example.com': { TXT: [keyRecord] } });
    const { facts } = await inspect(await handOver(own, {}, 'pass'));
    expect(facts.provider).toMatchObject({ seal_verified: true, differs_from_ours: ['arc'] });
    expect(facts.arc).toMatchObject({
      value: {
        sealer: 'example.com',
        report: { result: 'pass', sets: 1, chain: [{ i: 1 }], provider_set_excluded: true },
      },
    });
  });

  test('above a broken chain says nothing', async () => {
    const own = headerLines(await seal(signed, 'none', 'example.com')) + signed;
    const { facts } = await inspect(await handOver(own, {}, 'fail'));
    expect(facts.provider?.seal_verified).toBeNull();
    expect(facts.arc).toMatchObject({ value: { report: { result: 'fail', sets: 1 } } });
  });
});

describe('a sender’s forgery', () => {
  const forgeries = headerLines({
    ...providerHeaders({ ip: '198.51.100.9', helo: 'evil.example', to: TO }),
    'authentication-results':
      'mx.cloudflare.net; spf=fail smtp.mailfrom=a@evil.example; dmarc=fail',
    'x-cf-spamh-score': '100',
  });

  test('below the block changes neither the client nor the verdict', async () => {
    const plain = await inspect(await handOver(signed));
    const { facts } = await inspect(await handOver(forgeries + signed));
    expect(facts.connection).toEqual(plain.facts.connection);
    expect(facts.provider).toEqual({
      ...plain.facts.provider,
      seal_verified: expect.anything(),
      // A forged set makes a chain, but a broken one.
      differs_from_ours: ['arc'],
    });
    for (const part of ['spf', 'dmarc'] as const) expect(facts[part]).toEqual(plain.facts[part]);
    expect(facts.headers).toMatchObject({ value: { hops: 1 } });
    expect(facts.sizeBytes).toBe((forgeries + signed).length);
  });

  test('of a missing Received-SPF makes the client unknown, and refuses nothing', async () => {
    const spf = 'pass receiver=mx.cloudflare.net; client-ip=192.0.2.26; helo=mail.example.com';
    const unsigned = rightMail;
    const { facts, gate, refused } = await inspect(
      await handOver(unsigned, { 'received-spf': spf }),
    );
    expect(gate.spf).toMatchObject({ status: 'unknown' });
    expect(refused).toEqual([]);
    expect(facts.connection).toMatchObject({ ip: null, helo: null, source: 'unknown' });
    expect(facts.partialErrors).toContainEqual(expect.stringMatching(/disagree/));
  });
});

test('an email without the provider’s headers is analysed, and what they would say is unknown', async () => {
  const { facts, gate, refused } = await inspect(rightMail);
  expect(refused).toEqual([]);
  expect(gate).toMatchObject({ spf: { status: 'unknown' }, ip: null });
  expect(facts).toMatchObject({ provider: null });
  expect(facts.partialErrors).toContainEqual(expect.stringMatching(/did not say who sent/));
  const report = makeReport(facts, ARRIVAL);
  expect(report.connection).toMatchObject({ source: 'unknown' });
  expect(report).not.toHaveProperty('cloudflare');
});
