/**
 * Looks up the keys of DKIM signatures, derives the facts about the signatures that the checks read, and
 * lists the signatures that were not checked.
 */

import type { DkimFact, DkimFacts } from '../analysis/dkim/facts.ts';
import { type ReadKey, readDkimKey } from '../analysis/dkim/key.ts';
import type { DkimSignatureHeader } from '../analysis/dkim/parse.ts';
import { MAX_FUTURE_SECONDS } from '../analysis/dkim/signature-checks.ts';
import { alignByList, alignDomains, type DmarcAnswers } from '../analysis/dmarc/tree-walk.ts';
import { textsOf } from '../analysis/dns-answer.ts';
import type { LookupResult } from '../analysis/lookup-result.ts';
import type { HeaderScan } from '../analysis/mail/scan-headers.ts';
import { splitWords } from '../analysis/syntax/words.ts';
import { toDateTime } from '../domain/instant.ts';
import type { DkimSignature } from '../domain/report/authentication.ts';
import type { DnsAnswer, Resolver } from '../ports/dns.ts';
import type { SignatureVerdict } from '../ports/reading.ts';
import { yieldFor } from './yield.ts';

/** Headers whose change a reader would notice (RFC 6376 §5.4.1), as they are usually written. */
const WORTH_SIGNING = splitWords('Subject Date To Message-ID MIME-Version Content-Type Reply-To');

/** The key record of a signature. Null if there is none, or if it could not be looked up. */
export type FoundKey = ReadKey | null;

/** Looks up the keys of all signatures at once, in their order. */
export async function lookUpKeys(
  resolver: Resolver,
  signatures: readonly DkimSignatureHeader[],
): Promise<readonly FoundKey[]> {
  const answers = await Promise.all(
    signatures.map(async ({ domain, selector }) => {
      if (domain === null || selector === null) return null;
      const name = `${selector}._domainkey.${domain}`;
      return { name, answer: await resolver.txt(name) };
    }),
  );
  const keys: FoundKey[] = [];
  for (const asked of answers) keys.push(asked && (await readKey(asked.name, asked.answer)));
  return keys;
}

async function readKey(name: string, answer: DnsAnswer<readonly string[]>): Promise<FoundKey> {
  if (answer.status !== 'found') return null;
  const texts = textsOf(answer);
  await yieldFor(texts);
  return readDkimKey(name, texts, answer.cnames);
}

interface DkimContext {
  readonly scan: HeaderScan;
  readonly verdicts: readonly SignatureVerdict[];
  readonly keys: readonly FoundKey[];
  readonly answers: DmarcAnswers;
  /** Arrival of the email, in milliseconds since 1970. */
  readonly arrivedAt: number;
}

/** Returns the signatures in the form in which the report lists them. */
export const toDkimFacts = (context: DkimContext): DkimFacts => ({
  signatures: context.scan.dkimSignatures.flatMap((header, i) => {
    const verdict = context.verdicts[i];
    return verdict ? [toDkimFact(header, verdict, context.keys[i] ?? null, context)] : [];
  }),
  total: context.scan.dkimSignatures.length + context.scan.furtherSignatures.length,
});

/** Returns the signatures without a verdict: those beyond the limit, or all if none could be verified. */
export function uncheckedSignatures(
  { headerFrom, dkimSignatures, furtherSignatures }: HeaderScan,
  dkim: LookupResult<DkimFacts>,
): readonly DkimSignature[] {
  const all = [...(dkim.status === 'known' ? [] : dkimSignatures), ...furtherSignatures];
  return all.map(({ domain, selector, algorithm }) => ({
    domain: domain ?? '',
    selector: selector ?? '',
    result: 'policy',
    reason: 'not_evaluated',
    aligned: headerFrom.domain !== null && alignByList(headerFrom.domain, domain ?? '') !== 'none',
    key_bits: null,
    algorithm,
  }));
}

function toDkimFact(
  header: DkimSignatureHeader,
  verified: SignatureVerdict,
  found: FoundKey,
  { scan, answers, arrivedAt }: DkimContext,
): DkimFact {
  const forbidden = header.identityDomain === header.domain ? null : (found?.strict ?? null);
  const verdict = applyKey(verified, found, forbidden !== null);
  const from = scan.headerFrom.domain;
  const domain = header.domain ?? '';
  const alignment = align(from, domain, answers);
  const signed = new Set(header.signedHeaders);
  const present = new Set(scan.signable.map(({ name }) => name));
  const froms = scan.signable.find(({ name }) => name === 'from')?.count ?? 0;
  const { timestamp, expires } = header;
  return {
    report: {
      domain,
      selector: header.selector ?? '',
      result: verdict.result,
      reason: verdict.reason,
      aligned: alignment !== 'none',
      strict_aligned: alignment === 'strict',
      key_bits: verdict.keyBits ?? found?.key.bits ?? null,
      algorithm: header.algorithm,
      canonicalization: header.canonicalization,
      identity_domain: header.identityDomain,
      signed_headers: [...header.signedHeaders],
      // True if the signature lists From more often than there are From fields, so that no From can be added
      // (RFC 6376 §8.15).
      from_oversigned: header.signedHeaders.filter((name) => name === 'from').length > froms,
      timestamp: toIso(timestamp),
      expires: toIso(expires),
      length_limited: header.bodyLength !== null,
      unsigned_tail_bytes: verdict.unsignedTailBytes,
      body_hash: verdict.bodyHash,
      key: found?.key ?? null,
    },
    fault: verdict.fault,
    ofFromDomain: alignment !== 'none',
    lifetimeSeconds: timestamp !== null && expires !== null ? expires - timestamp : null,
    fromFuture: timestamp !== null && timestamp * 1000 > arrivedAt + MAX_FUTURE_SECONDS * 1000,
    expired: expires !== null && expires * 1000 < arrivedAt,
    unsignedHeaders: WORTH_SIGNING.filter(
      (name) => present.has(name.toLowerCase()) && !signed.has(name.toLowerCase()),
    ),
    coversListUnsubscribe: signed.has('list-unsubscribe'),
    coversListUnsubscribePost: signed.has('list-unsubscribe-post'),
    ...(verified.changed && { changed: verified.changed }),
    ...(found && { keyTexts: found.texts }),
    keyFaults: [...(forbidden ? [strictFault(forbidden)] : []), ...(found?.faults ?? [])],
  };
}

/** Applies restrictions in the key record that the verifier ignores (RFC 6376 §6.1.2, §3.6.1). */
function applyKey(
  verdict: SignatureVerdict,
  found: FoundKey,
  forbidden: boolean,
): SignatureVerdict {
  const cameToKey = verdict.result === 'pass' || verdict.reason === 'bad_signature';
  if (cameToKey && found?.wellFormed === false)
    return { ...verdict, result: 'permerror', reason: 'key_invalid' };
  if (verdict.result === 'pass' && forbidden)
    return { ...verdict, result: 'permerror', reason: 'identity_not_under_domain' };
  return verdict;
}

const strictFault = ({ corrected }: NonNullable<ReadKey['strict']>): ReadKey['faults'][number] => ({
  severity: 'fail',
  what: 't=s allows no i= below d=',
  corrected,
  fix: 'strict',
});

/** Compares two domains by DMARC's tree walk, or by the Public Suffix List if the DNS gave no answer. */
function align(from: string | null, domain: string, answers: DmarcAnswers) {
  if (from === null) return 'none';
  const lookup = alignDomains(from, domain, answers);
  return lookup.status === 'known' ? lookup.value : alignByList(from, domain);
}

const toIso = (seconds: number | null): string | null => toDateTime((seconds ?? Number.NaN) * 1000);
