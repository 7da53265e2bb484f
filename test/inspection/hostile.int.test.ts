/** Tests the inspection of hostile emails and of workers that fail. */

import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Facts } from '../../src/analysis/facts.ts';
import { makeReport } from '../../src/analysis/report.ts';
import { Overloaded } from '../../src/domain/overloaded.ts';
import type { Inspect } from '../../src/ports/mail.ts';
import type { OngoingReading } from '../../src/ports/reading.ts';
import {
  ARRIVAL,
  about,
  type InspectionEnvironment,
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

const inspect = async (mail: string, inspect: Inspect = environment.inspect) => {
  const inspection = inspect(about);
  const inspected = await inspection.read(toBytes(mail));
  const { gate } = inspected;
  const facts = await inspected.facts({ receivedAt: ARRIVAL, expiresAt: ARRIVAL });
  inspected.end();
  return { gate, facts };
};
const factsOf = async (...args: Parameters<typeof inspect>) =>
  (await inspect(...args)).facts as Facts;

test('a body line over 1 MiB leaves DKIM unknown, and nothing else', async () => {
  const facts = await factsOf(`${signed}${'x'.repeat(1024 * 1024 + 1)}\r\n`);
  expect(facts.dkim).toEqual({
    status: 'unknown',
    error: 'dkim: not evaluated: a body line is over 1 MiB',
  });
  expect(facts.dmarc).toMatchObject({ value: { report: { result: 'pass' }, decided: false } });
  expect(facts.content.status).toBe('known');
});

const unchecked = { result: 'policy', reason: 'not_evaluated', key_bits: null };

test.each([26, 150, 900])('a report has an entry for each of %i signatures', async (count) => {
  const further = Array.from({ length: count - 1 }, (_, n) => {
    const domain = n % 2 ? 'other.test' : 'sub.example.com';
    return `DKIM-Signature: v=1; a=rsa-sha256; d=${domain}; s=s${n}; h=from; bh=AA==; b=AA==\r\n`;
  });
  const before = environment.dns.queries.length;
  const facts = await factsOf(further.join('') + signed);
  const asked = environment.dns.queries.slice(before).map(({ name }) => name);
  expect(new Set(asked.filter((name) => name.includes('._domainkey.'))).size).toBeLessThan(25);
  const report = makeReport(facts, ARRIVAL);
  expect(report.authentication.dkim).toHaveLength(count);
  expect(report.authentication.dkim.slice(20, 22)).toEqual([
    {
      ...unchecked,
      domain: 'sub.example.com',
      selector: 's20',
      aligned: true,
      algorithm: 'rsa-sha256',
    },
    {
      ...unchecked,
      domain: 'other.test',
      selector: 's21',
      aligned: false,
      algorithm: 'rsa-sha256',
    },
  ]);
  expect(report.partial_errors).toContain(`dkim: ${count - 20} more signatures were not checked`);
  expect(report.notes.join()).not.toContain('shortened to fit');
});

test('a report lists the signatures even if none could be verified', async () => {
  const facts = await factsOf(`${signed}${'x'.repeat(1024 * 1024 + 1)}\r\n`);
  expect(makeReport(facts, ARRIVAL).authentication.dkim).toEqual([
    { ...unchecked, domain: 'example.com', selector: 's1', aligned: true, algorithm: 'rsa-sha256' },
  ]);
});

test('an unsigned email has no signature, however long its lines', async () => {
  const facts = await factsOf(`${rightMail}${'x'.repeat(1024 * 1024 + 1)}\r\n`);
  expect(facts.dkim).toEqual({ status: 'known', value: { signatures: [], total: 0 } });
});

const lost = (part: Partial<OngoingReading>): Inspect =>
  environment.create({
    beginReading: () => ({
      authentication: Promise.resolve(null),
      content: Promise.resolve(null),
      stop: () => {},
      ...part,
    }),
  });

test('a worker that returned no part is lost, and refuses nobody', async () => {
  const { gate, facts } = await inspect(signed, lost({}));
  expect(facts).toBe('lost');
  expect(gate.dkim.status).toBe('unknown');
});

test('an email whose content could not be read is lost, and no report lacks it', async () => {
  const authentication = {
    signatures: [],
    arc: { status: 'unknown', error: '' },
    sealVerified: null,
    bodyLineTooLong: false,
  } as const;
  const { facts } = await inspect(
    signed,
    lost({ authentication: Promise.resolve(authentication) }),
  );
  expect(facts).toBe('lost');
});

test('nothing is said about an email that we do not read in time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  for (const part of [
    { authentication: new Promise<null>(() => {}) },
    { content: new Promise<null>(() => {}) },
  ]) {
    const outcome = inspect(signed, lost(part)).then(
      () => 'said',
      (error: unknown) => error instanceof Overloaded,
    );
    let isOver = false;
    void outcome.then(() => {
      isOver = true;
    });
    while (!isOver) {
      await vi.advanceTimersByTimeAsync(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await outcome).toBe(true);
  }
});

test('the control query is made only if something is not answered', async () => {
  const asked = () =>
    environment.dns.queries.filter(({ name }) => /^[0-9a-f-]{36}$/.test(name)).length;
  const before = asked();
  await inspect(signed);
  expect(asked()).toBe(before);
});

test('a thousand include: end, and count as too many', async () => {
  const names = Array.from({ length: 1000 }, (_, i) => `i${i}.example`);
  const record = `v=spf1 ${names.map((name) => `include:${name}`).join(' ')} -all`;
  environment.dns.setZone({
    ...rightZone,
    'example.com': { ...rightZone['example.com'], TXT: [record] },
    ...Object.fromEntries(names.map((name) => [name, { TXT: ['v=spf1 ip4:192.0.2.1 -all'] }])),
  });
  const before = environment.dns.queries.length;
  const facts = await factsOf(signed);
  expect(facts.spf).toMatchObject({
    value: { report: { result: 'permerror', error: 'more than 10 lookups' } },
  });
  expect(facts.spf.status === 'known' && facts.spf.value.report.lookups).toBeGreaterThan(10);
  expect(environment.dns.queries.length - before).toBeLessThan(200);
});

test('loops of SPF and CNAME come to an end', async () => {
  environment.dns.setZone(
    zoneWith({
      'example.com': { TXT: ['v=spf1 include:b.example redirect=example.com'] },
      'b.example': { TXT: ['v=spf1 include:example.com -all'] },
      's1._domainkey.example.com': { CNAME: 'x.example' },
      'x.example': { CNAME: 's1._domainkey.example.com' },
    }),
  );
  const facts = await factsOf(signed);
  expect(facts.spf).toMatchObject({ value: { report: { result: 'permerror' } } });
  expect(facts.dkim).toMatchObject({
    value: { signatures: [{ report: { result: 'temperror' } }] },
  });
});

test.each([
  ['nothing but a line end', '\r\n'],
  ['no From', rightMail.replace(/From:.*\r\n/, '')],
  ['two From', `From: a@example.net\r\n${rightMail}`],
  ['names of prototypes', `__proto__: x\r\nconstructor: y\r\n${rightMail}`],
])('an email with %s is read nevertheless', async (_, mail) => {
  const facts = await factsOf(mail);
  expect(facts.headers.status).toBe('known');
  expect(facts.dmarc.status).toBe('known');
});
