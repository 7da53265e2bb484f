/** Tests that spam filters get the whole email, and only an email that passed the gate. */

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FilteredMail } from '../../src/ports/filters.ts';
import {
  ARRIVAL,
  about,
  type InspectionEnvironment,
  startInspectionEnvironment,
  toBytes,
  zoneWith,
} from '../support/mail/inspection-environment.ts';
import { aBlock } from '../support/mail/mail-environment.ts';

let environment: InspectionEnvironment;
beforeAll(async () => {
  environment = await startInspectionEnvironment();
});
afterAll(() => environment.stop());

const OWN = 'From: a@example.com\r\nTo: b@example.net\r\nSubject: hello\r\n\r\nhello\r\n';
const PROVIDER = 'X-Provider: top\r\n';

async function inspectWith(text: string, ownFrom = 0) {
  environment.dns.setZone(zoneWith({}));
  const told: (Omit<FilteredMail, 'bytes'> & { readonly text: string })[] = [];
  const inspect = environment.create({
    askFilters: async ({ bytes, ...mail }, hostname) => {
      // During this pause the email is read completely, after which its reader would normally overwrite it.
      await sleep(200);
      told.push({ ...mail, hostname: await hostname, text: Buffer.from(bytes).toString() });
      return [{ name: 'rspamd', runBy: 'operator', status: 'not_checked', reason: 'busy' }];
    },
  });
  const bytes = toBytes(text);
  const block = ownFrom > 0 ? aBlock({ bytes: ownFrom }) : undefined;
  const inspected = await inspect(about).read(bytes, block);
  const before = told.length;
  const facts = await inspected.facts({ receivedAt: ARRIVAL, expiresAt: ARRIVAL });
  inspected.end();
  return { told, facts, bytes, before };
}

test('a filter gets the whole email while it is read, and then its bytes are overwritten', async () => {
  const { told, facts, bytes, before } = await inspectWith(OWN);
  expect(before).toBe(0);
  expect(told).toEqual([
    {
      ...{ text: OWN, ip: about.client.ip, helo: about.client.helo },
      hostname: 'mail.example.com',
      from: `${about.from.localPart}@${about.from.domain}`,
      recipient: `recipient@${about.mailDomain}`,
      ...{ mailDomain: about.mailDomain, receivedAt: ARRIVAL },
    },
  ]);
  expect(facts).toMatchObject({ filters: [{ name: 'rspamd', reason: 'busy' }] });
  expect(bytes.every((byte) => byte === 0)).toBe(true);
});

test("nothing of a provider's headers is sent to a filter", async () => {
  const { told } = await inspectWith(PROVIDER + OWN, PROVIDER.length);
  expect(told[0]?.text).toBe(OWN);
});

test('an email that the gate refuses is sent to no filter', async () => {
  environment.dns.setZone(zoneWith({}));
  let asked = 0;
  const inspect = environment.create({
    askFilters: async () => {
      asked += 1;
      return [];
    },
  });
  const inspected = await inspect(about).read(toBytes(OWN));
  await inspected.awaitLookups();
  inspected.end();
  expect(asked).toBe(0);
});
