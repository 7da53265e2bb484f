/** Reads an email as the service does, and finds faults in the reading. */

import { isDeepStrictEqual } from 'node:util';
import { verifyMail } from '../../../src/adapters/mailauth/verify.ts';
import { guardInput } from '../../../src/analysis/mail/input-guard.ts';
import { readMail } from '../../../src/analysis/mail/read-mail.ts';
import type { AuthenticationPart } from '../../../src/ports/reading.ts';
import type { Zone } from '../../environment/dns-zone.ts';
import { toJob } from '../../lab/conformance/verify-raw.ts';
import { askZone } from '../../lab/conformance/zone-resolver.ts';
import { CANARY } from './words.ts';

const RECEIVED_AT = '2026-11-20T11:00:00.000Z';

/** Keys and failures at the names that the seeds use. All others do not exist. */
const ZONE: Zone = {
  's._domainkey.example.com': {
    TXT: ['v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='],
  },
  's._domainkey.example.net': 'SERVFAIL',
};

const ask = askZone(ZONE);

/** Reads an email as the worker does, and returns what is wrong with the reading, or null. */
export async function faultOf(mail: string): Promise<string | null> {
  const bytes = new Uint8Array(Buffer.from(mail, 'latin1'));
  try {
    const job = toJob(bytes, RECEIVED_AT);
    const authentication = isVerified(bytes) ? await verifyMail(bytes, job, ask) : null;
    if (Buffer.from(bytes.buffer).toString('latin1') !== mail) return 'the bytes were changed';
    const { headers, content, links, ...scan } = readMail(bytes, job.context);
    return (
      (authentication && faultOfSignatures(authentication, job.signatures.length)) ??
      faultOfFacts({ authentication, headers, content, links, scan })
    );
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

/** The receiver refuses some, and the worker leaves others unverified. */
function isVerified(bytes: Uint8Array): boolean {
  const { headerFault, bodyLineTooLong } = guardInput(bytes);
  return headerFault === null && !bodyLineTooLong;
}

const faultOfSignatures = ({ signatures }: AuthenticationPart, wanted: number) =>
  signatures.length === wanted ? null : 'a signature has no verdict';

function faultOfFacts(facts: object): string | null {
  // Finds what cannot cross to another thread, or changes on the way into a report.
  const copy = structuredClone(facts);
  const text = JSON.stringify(facts);
  if (!isDeepStrictEqual(copy, facts)) return 'the facts do not survive a copy';
  if (!isDeepStrictEqual(JSON.parse(text), withoutUndefined(copy))) return 'the facts are no JSON';
  if (text.toLowerCase().includes(CANARY)) return 'the canary is out';
  return null;
}

const withoutUndefined = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([key, one]) =>
          one === undefined ? [] : [[key, withoutUndefined(one)]],
        ),
      )
    : Array.isArray(value)
      ? value.map(withoutUndefined)
      : value;
