/** Verifies DKIM and ARC of a raw email as a worker does, for the suites. */

import { verifyMail } from '../../../src/adapters/mailauth/verify.ts';
import { selectSignatures } from '../../../src/analysis/dkim/parse.ts';
import type { Resolver } from '../../../src/ports/dns.ts';
import type { AuthenticationPart, MailJob } from '../../../src/ports/reading.ts';
import { scanHeaders } from '../../support/mail/scan-headers.ts';

/** Later than any signature of the suites was made. */
export const RECEIVED_AT = '2026-11-20T12:00:00.000Z';

/** Returns what a worker gets for an email that came directly, without a provider's block. */
export function toJob(mail: Uint8Array, receivedAt: string): MailJob {
  const scan = scanHeaders(mail);
  return {
    context: {
      receivedAt,
      testAddress: { localPart: 'abcdefghijkl', domain: 'in.example.net' },
      nullSender: false,
      helo: 'mx.example.com',
      smtputf8: false,
    },
    ownFrom: 0,
    signatures: selectSignatures(scan.dkimSignatures, scan.headerFrom.domain),
    verifyArc: scan.arcSets > 0,
    path: [],
  };
}

/** Returns DKIM and ARC of one email as the worker computes them. */
export async function verifyRaw(
  mail: string | Uint8Array,
  ask: Resolver['ask'],
  receivedAt = RECEIVED_AT,
): Promise<AuthenticationPart> {
  const bytes = new Uint8Array(typeof mail === 'string' ? Buffer.from(mail, 'utf8') : mail);
  return verifyMail(bytes, toJob(bytes, receivedAt), ask);
}

/** Converts line endings to those sent over the network. */
export const toCrlf = (text: string): string => text.replace(/\r?\n/g, '\r\n');
