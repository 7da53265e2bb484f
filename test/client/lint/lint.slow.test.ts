/** Tests that `deliverability lint` finds in a file what the service finds in the same email. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lintMail } from '../../../src/client/lint/lint-mail.ts';
import { createZone } from '../../../src/client/lint/zone.ts';
import { parseZoneFile } from '../../../src/client/lint/zone-file.ts';
import { allCases } from '../../analysis/whole/all-cases.ts';
import type { Case } from '../../analysis/whole/case.ts';
import { arrive } from '../../analysis/whole/environment.ts';
import { zoneWith } from '../../analysis/whole/zone.ts';
import { ARRIVAL, about } from '../../support/mail/inspection-environment.ts';
import { type CaseService, startCaseService } from './serve-case.ts';
import { writeZoneFile } from './write-zone-file.ts';

let service: CaseService;
beforeAll(async () => {
  service = await startCaseService();
});
afterAll(() => service.stop());

async function lint(one: Case) {
  const zone = createZone(parseZoneFile(writeZoneFile(zoneWith(one.zone))));
  const to = { localPart: about.testId, domain: about.mailDomain };
  const mail = { ...(await arrive(one)), testId: about.testId, to, receivedAt: ARRIVAL };
  return (await lintMail(mail, { zone, live: null, asked: '' })).report;
}

/** Every third case, because both sides run the same analysis: only what goes into it can differ. */
const STEP = 3;

describe.each(Object.entries(allCases))('%s', (_, cases) => {
  // A zone file cannot express faults of DNS servers.
  const inFile = cases
    .filter(({ zone = {} }) => Object.values(zone).every((held) => typeof held !== 'string'))
    .filter((_one, n) => n % STEP === 0);
  test.each(inFile)('$about: the command finds in the file what the service finds', async (one) => {
    expect(await lint(one)).toEqual(await service.serve(one));
  });
});
