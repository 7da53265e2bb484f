import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeReport } from '../../src/analysis/report.ts';
import { isReport } from '../../src/domain/report/report.ts';
import { hostileMails } from '../edge/mail/mails.ts';
import {
  ARRIVAL,
  about,
  type InspectionEnvironment,
  readFacts,
  startInspectionEnvironment,
} from '../support/mail/inspection-environment.ts';

/** What `ReportWritten` may hold, in bytes of JSON. */
const MAX_REPORT_BYTES = 256 * 1024;

const mails = hostileMails(2 * 1024 * 1024);

let environment: InspectionEnvironment;
beforeAll(async () => {
  environment = await startInspectionEnvironment(1000);
});
afterAll(() => environment.stop());

test.each(Object.keys(mails))('%s: a report', async (name) => {
  const mail = new Uint8Array(mails[name]?.() ?? []);
  const { facts } = await readFacts(environment.inspect(about), mail);
  const report = makeReport(facts, ARRIVAL);
  expect(isReport(report)).toBe(true);
  expect(Buffer.byteLength(JSON.stringify(report))).toBeLessThan(MAX_REPORT_BYTES);
});
