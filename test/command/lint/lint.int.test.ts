import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeReport } from '../../../src/analysis/report.ts';
import { lintMail } from '../../../src/command/lint/lint-mail.ts';
import { parseZoneFile } from '../../../src/command/lint/zone-file.ts';
import { zoneResolver } from '../../../src/command/lint/zone-resolver.ts';
import type { Inspect } from '../../../src/ports/mail.ts';
import { allCases } from '../../analysis/whole/all-cases.ts';
import type { Case } from '../../analysis/whole/case.ts';
import { arrive } from '../../analysis/whole/environment.ts';
import { zoneWith } from '../../analysis/whole/zone.ts';
import {
  ARRIVAL,
  about,
  type InspectionEnvironment,
  startInspectionEnvironment,
} from '../../support/mail/inspection-environment.ts';
import { writeZoneFile } from './write-zone-file.ts';

let environment: InspectionEnvironment;
let inspect: Inspect;
beforeAll(async () => {
  environment = await startInspectionEnvironment();
  inspect = environment.create({
    fetch: async () => ({ status: 'failed', fault: 'ours', reason: 'not checked' }),
  });
});
afterAll(() => environment.stop());

/** The service's way, but for what needs the sender's web server. */
async function serve(one: Case) {
  environment.dns.setZone(zoneWith(one.zone));
  const { bytes, block, client, from } = await arrive(one);
  const inspected = await inspect({ ...about, client, from }).read(bytes, block);
  const facts = await inspected.facts({ receivedAt: ARRIVAL, expiresAt: ARRIVAL });
  inspected.end();
  if (facts === 'lost') throw new Error('the worker was lost');
  return makeReport(facts, ARRIVAL);
}

async function lint(one: Case) {
  const newResolver = zoneResolver(parseZoneFile(writeZoneFile(zoneWith(one.zone))));
  const to = { localPart: about.testId, domain: about.mailDomain };
  const mail = { ...(await arrive(one)), to, receivedAt: ARRIVAL };
  return (await lintMail(mail, newResolver)).report;
}

describe.each(Object.entries(allCases))('%s', (_, cases) => {
  test.each(cases)('$about: the command finds in the file what the service finds', async (one) => {
    expect(await lint(one)).toEqual(await serve(one));
  });
});
