/**
 * Verifies the DKIM signatures and the ARC chain of an email with mailauth, and the seal of an inbound
 * provider.
 */

import type { ARCData, DKIMResult } from 'mailauth';
import { arc } from 'mailauth/lib/arc/index.js';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import type {
  AuthenticationPart,
  MailJob,
  SignatureVerdict,
  VerifyMail,
} from '../../ports/reading.ts';
import { toALabels } from './a-labels.ts';
import { toArcFacts } from './arc-facts.ts';
import { malformed, NOT_EVALUATED, toVerdict } from './dkim-verdict.ts';
import { type Ask, toMailauthResolver } from './dns-bridge.ts';
import {
  countSignatures,
  hasPaddedField,
  hideArcSignatures,
  hideOtherSignatures,
  hidePaddedArcFields,
  paddedSignatures,
} from './signature-fields.ts';

/** Minimum size of an RSA key, in bits. Verifiers must not accept fewer (RFC 8301 §3.2). */
const MIN_RSA_BITS = 1024;

type ArcChain = AuthenticationPart['arc'];

/** The facts about an email without an ARC chain (RFC 8617 §5.2, step 1). */
const NO_CHAIN: ArcChain = {
  status: 'known',
  value: { report: { result: 'none', sets: 0 }, sealer: null, fault: null },
};

/** Verifies the signatures and the ARC chain of an email. It runs in a worker thread. */
export const verifyMail: VerifyMail = async (mail, job, ask) => {
  const own = Buffer.from(mail.buffer, mail.byteOffset + job.ownFrom, mail.length - job.ownFrom);
  const whole = Buffer.from(mail.buffer, mail.byteOffset, mail.length);
  const signatures = await verifySignatures(own, job, ask);
  const chain = job.verifyArc ? await verifyArc(own, job, ask) : NO_CHAIN;
  const sealed = job.ownFrom > 0 ? await verifyArc(whole, job, ask) : null;
  return {
    signatures,
    arc: chain,
    sealVerified: sealed?.status === 'known' ? sealed.value.report.result === 'pass' : null,
    bodyLineTooLong: false,
  };
};

async function verifySignatures(
  own: Buffer<ArrayBuffer>,
  { signatures, context }: MailJob,
  ask: Ask,
): Promise<SignatureVerdict[]> {
  const padded = paddedSignatures(own);
  const isVerified = ({ header, evaluate }: MailJob['signatures'][number]) =>
    evaluate && !padded.has(header.index);
  const kept = signatures.flatMap((signature) =>
    isVerified(signature) && signature.header.fault === null ? [signature.header.index] : [],
  );
  const verify = (places: readonly number[]) =>
    verifyPlaces(own, places, context.receivedAt, toMailauthResolver(ask));
  const all = kept.length === 0 ? [] : await verify(kept).catch(() => []);
  // The library omits signatures that it cannot read, and a c= tag, even one in a chain, can make it give up
  // on the email. In that case, each signature is verified separately, so that none gets the verdict of
  // another.
  const results = all.length === kept.length ? all : await verifyEach(own, kept, verify);
  return signatures.map((signature) => {
    if (!isVerified(signature)) return NOT_EVALUATED;
    const { header } = signature;
    const result = results[kept.indexOf(header.index)];
    // If a signature passed, the result must match the facts about this field.
    return result && isOf(header, result) ? toVerdict(result, header) : malformed(header.fault);
  });
}

async function verifyPlaces(
  own: Buffer<ArrayBuffer>,
  places: readonly number[],
  curTime: string,
  resolver: ReturnType<typeof toMailauthResolver>,
): Promise<DKIMResult[]> {
  const show = hideOtherSignatures(own, new Set(places));
  // The library also reads the chain, whatever it is asked to verify.
  const showChain = hidePaddedArcFields(own);
  try {
    // A strict mode would reject usable signatures, but the MUSTs of RFC 8301 are enforced.
    const options = { rejectRsaSha1: true, minBitLength: MIN_RSA_BITS, curTime, resolver };
    const { results } = await dkimVerify(own, options);
    // A single `none` means that there was nothing to verify.
    return results.filter(({ status }) => status.result !== 'none');
  } finally {
    showChain();
    show();
  }
}

async function verifyEach(
  own: Buffer<ArrayBuffer>,
  places: readonly number[],
  verify: (places: readonly number[]) => Promise<DKIMResult[]>,
): Promise<(DKIMResult | undefined)[]> {
  const show = hideArcSignatures(own);
  try {
    const results: (DKIMResult | undefined)[] = [];
    for (const place of places) results.push((await verify([place]).catch(() => []))[0]);
    return results;
  } finally {
    show();
  }
}

type Header = MailJob['signatures'][number]['header'];

const isOf = (header: Header, { signingDomain, selector, algo, format }: DKIMResult): boolean =>
  isSame(signingDomain, header.domain) &&
  isSame(selector, header.selector) &&
  isSame(algo, header.algorithm) &&
  asRead(format) === header.canonicalization;

const isSame = (one: string | undefined, other: string | null): boolean =>
  one !== undefined && toALabels(one) === other?.toLowerCase();

/**
 * Returns a canonicalization in the form of a parsed header. The default is simple/simple (RFC 6376 §3.5).
 */
const asRead = (canonicalization: string | undefined): string =>
  canonicalization?.toLowerCase().replace(/\s+/g, '') || 'simple/simple';

const notEvaluated = (why: string): ArcChain => ({
  status: 'unknown',
  error: `arc: not evaluated: ${why}`,
});

async function verifyArc(
  bytes: Buffer<ArrayBuffer>,
  { signatures, context }: MailJob,
  ask: Ask,
): Promise<ArcChain> {
  // The library verifies every signature as well as the chain, which may cover any of them.
  const affordable = signatures.filter(({ evaluate }) => evaluate).length;
  if (countSignatures(bytes) > affordable) return notEvaluated('too many DKIM signatures');
  if (hasPaddedField(bytes)) return notEvaluated('too much white space in a signature');

  const silent: string[] = [];
  const resolver = toMailauthResolver(async (name, type) => {
    const answer = await ask(name, type);
    if (answer.status === 'failed') silent.push(name.toLowerCase());
    return answer;
  });
  const options = { strict: true, minBitLength: MIN_RSA_BITS, resolver };
  const read = await dkimVerify(bytes, { ...options, curTime: context.receivedAt }).catch(
    () => null,
  );
  if (read === null) return notEvaluated('a signature cannot be read');
  if (!read.arc) return NO_CHAIN;
  const chain = Array.isArray(read.arc.chain) ? read.arc.chain : [];
  // The types of the library's own intermediate result are looser than what it accepts.
  const result = await arc(read.arc as ARCData, options);
  if (result.status.result === 'none' && chain.length === 0) return NO_CHAIN;
  return toArcFacts(result, chain, silent);
}
