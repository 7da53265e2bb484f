/** Judges DKIM signatures as the report lists them, for the suites; also without the refusals of RFC 8301. */

import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { malformed, toVerdict } from '../../../src/adapters/mailauth/dkim-verdict.ts';
import { toMailauthResolver } from '../../../src/adapters/mailauth/dns-bridge.ts';
import { hideOtherSignatures } from '../../../src/adapters/mailauth/signature-fields.ts';
import type { DkimSignature } from '../../../src/domain/report/authentication.ts';
import { lookUpKeys, toDkimFacts } from '../../../src/inspection/dkim.ts';
import type { Resolver } from '../../../src/ports/dns.ts';
import type { SignatureVerdict } from '../../../src/ports/reading.ts';
import { scanHeaders } from '../../support/mail/scan-headers.ts';
import { RECEIVED_AT, verifyRaw } from './verify-raw.ts';
import { resolverOf } from './zone-resolver.ts';

/** Returns the signatures as the report lists them, with what their key records forbid. */
export async function judgeSignatures(
  mail: Uint8Array,
  ask: Resolver['ask'],
  receivedAt = RECEIVED_AT,
): Promise<readonly DkimSignature[]> {
  const { signatures } = await verifyRaw(mail, ask, receivedAt);
  return toReports(mail, ask, receivedAt, signatures);
}

/** Shortest RSA key to accept, in bits: enough for every suite that is older than RFC 8301. */
const MIN_RSA_BITS = 1024;

/** Like `judgeSignatures` without the refusals of RFC 8301, for older suites. */
export async function judgeByOldRules(
  mail: Uint8Array,
  ask: Resolver['ask'],
  receivedAt = RECEIVED_AT,
): Promise<readonly DkimSignature[]> {
  const verdicts: SignatureVerdict[] = [];
  for (const header of scanHeaders(mail).dkimSignatures) {
    if (header.fault !== null) {
      verdicts.push(malformed(header.fault));
      continue;
    }
    const own = Buffer.from(mail);
    hideOtherSignatures(own, new Set([header.index]));
    const { results } = await dkimVerify(own, {
      minBitLength: MIN_RSA_BITS,
      curTime: receivedAt,
      resolver: toMailauthResolver(ask),
    });
    const result = results.find(({ status }) => status.result !== 'none');
    verdicts.push(result ? toVerdict(result, header) : malformed(header.fault));
  }
  return toReports(mail, ask, receivedAt, verdicts);
}

async function toReports(
  mail: Uint8Array,
  ask: Resolver['ask'],
  receivedAt: string,
  verdicts: readonly SignatureVerdict[],
): Promise<readonly DkimSignature[]> {
  const scan = scanHeaders(mail);
  const keys = await lookUpKeys(resolverOf(ask), scan.dkimSignatures);
  const arrivedAt = Date.parse(receivedAt);
  const { signatures } = toDkimFacts({ scan, verdicts, keys, answers: new Map(), arrivedAt });
  return signatures.map(({ report }) => report);
}
