/** Tests the inspection of emails that arrive through a trusted relay. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { judgeGate } from '../../src/analysis/gate.ts';
import { makeReport } from '../../src/analysis/report.ts';
import type { ClientFacts } from '../../src/ports/mail.ts';
import {
  ARRIVAL,
  about,
  type InspectionEnvironment,
  readFacts,
  rightMail,
  rightZone,
  sign,
  startInspectionEnvironment,
  toBytes,
} from '../support/mail/inspection-environment.ts';

const NOT_OBSERVABLE = { status: 'not_observable', version: null, cipher: null } as const;

let environment: InspectionEnvironment;
let signed: string;
beforeAll(async () => {
  environment = await startInspectionEnvironment();
  environment.dns.setZone(rightZone);
  signed = await sign(rightMail);
});
afterAll(() => environment.stop());

/** Returns the report of a correct email, with what is known about its client. */
async function reportOf(change: Partial<ClientFacts> = {}) {
  const inspection = environment.inspect({ ...about, client: { ...about.client, ...change } });
  const expiresAt = '2026-11-21T10:00:05.000Z';
  const { gate, facts } = await readFacts(inspection, toBytes(signed), { expiresAt });
  return { refused: judgeGate(gate), report: makeReport(facts, ARRIVAL) };
}

test('a client that a relay names gets the report of one that connects directly, except for TLS', async () => {
  const { report: own } = await reportOf();
  const forwarded = { source: 'xclient', namedBy: 'xforward', tls: NOT_OBSERVABLE } as const;
  const { report, refused } = await reportOf(forwarded);
  expect(refused).toEqual([]);
  expect(report.score).toBe(own.score);
  expect(report.connection).toEqual({
    ...own.connection,
    source: 'xclient',
    named_by: 'xforward',
    tls: NOT_OBSERVABLE,
  });
  const others = ({ findings }: typeof own) => findings.filter(({ id }) => id !== 'connection_tls');
  expect(others(report)).toEqual(others(own));
  const proxied = await reportOf({ namedBy: 'proxy' });
  expect(proxied.report).toEqual({
    ...own,
    connection: { ...own.connection, named_by: 'proxy' },
  });
});

test('without a relay, the report does not mention it', async () => {
  const { report } = await reportOf();
  expect(report.connection).not.toHaveProperty('named_by');
});

test('a client that a relay does not name costs nothing, and the report says so', async () => {
  const { report: own } = await reportOf();
  const unknown = { ip: null, helo: null, source: 'unknown', namedBy: 'xforward' } as const;
  const { report, refused } = await reportOf({ ...unknown, tls: NOT_OBSERVABLE });
  expect(refused).toEqual([]);
  expect(report.partial_errors).toContain(
    'connection: the relay in front did not say who sent the mail',
  );
  expect(report.score).toBeGreaterThanOrEqual(own.score);
  expect(report.findings.filter(({ severity }) => severity === 'fail')).toEqual([]);
  expect(report.authentication.spf).toMatchObject({ result: 'temperror' });
  expect(report.authentication.dmarc).toMatchObject({ result: 'pass' });
});
