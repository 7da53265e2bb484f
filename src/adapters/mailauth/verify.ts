import type { ARCData, DKIMResult } from 'mailauth';
import { arc } from 'mailauth/lib/arc/index.js';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import type { AuthenticationPart, MailJob, SignatureVerdict } from '../../ports.ts';
import { toArcFacts } from './arc-facts.ts';
import { MALFORMED, NOT_EVALUATED, toVerdict } from './dkim-verdict.ts';
import { type Ask, toMailauthResolver } from './dns-bridge.ts';
import { countSignatures, hideArcSignatures, hideOtherSignatures } from './signature-fields.ts';

/** RFC 8301 §3.2: verifiers must not accept less, in bits. */
const MIN_RSA_BITS = 1024;

type ArcChain = AuthenticationPart['arc'];

/** RFC 8617 §5.2, step 1. */
const NO_CHAIN: ArcChain = {
  status: 'known',
  value: { report: { result: 'none', sets: 0 }, sealer: null, fault: null },
};

/** Verifies the signatures and the ARC chain of a mail. Runs in a worker thread. */
export async function verifyMail(
  mail: Uint8Array<ArrayBuffer>,
  job: MailJob,
  ask: Ask,
): Promise<AuthenticationPart> {
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
}

async function verifySignatures(
  own: Buffer<ArrayBuffer>,
  { signatures, context }: MailJob,
  ask: Ask,
): Promise<SignatureVerdict[]> {
  const verified = signatures.filter(({ header, evaluate }) => evaluate && isVerifiable(header));
  const left = ({ evaluate }: Signature) => (evaluate ? MALFORMED : NOT_EVALUATED);
  if (verified.length === 0) return signatures.map(left);
  const kept = new Set(verified.map(({ header }) => header.index));
  const show = hideOtherSignatures(own, kept);
  try {
    const options = {
      // A strict reading turns usable signatures away; the MUSTs of RFC 8301 are kept.
      rejectRsaSha1: true,
      minBitLength: MIN_RSA_BITS,
      curTime: context.receivedAt,
      resolver: toMailauthResolver(ask),
    };
    // The newest signature of a chain is read as well: what breaks there must not end all others.
    const { results } = await dkimVerify(own, options).catch(async () => {
      const showArc = hideArcSignatures(own);
      return dkimVerify(own, options).finally(showArc);
    });
    const open: DKIMResult[] = [...results];
    return signatures.map((signature) => {
      const { header } = signature;
      if (!kept.has(header.index)) return left(signature);
      // The library leaves out what it cannot read, by one of these four, and keeps the order:
      // each result goes to the field it came from.
      const at = open.findIndex(
        ({ signingDomain, selector, algo, format }) =>
          isSame(signingDomain, header.domain) &&
          isSame(selector, header.selector) &&
          isSame(algo, header.algorithm) &&
          asRead(format) === header.canonicalization,
      );
      const [result] = at < 0 ? [] : open.splice(at, 1);
      return result ? toVerdict(result) : MALFORMED;
    });
  } finally {
    show();
  }
}

type Signature = MailJob['signatures'][number];

/** The library gives up on the whole mail where c= has no part for the header. */
const isVerifiable = ({ canonicalization }: Signature['header']) =>
  !canonicalization.startsWith('/');

const isSame = (one: string | undefined, other: string | null): boolean =>
  one !== undefined && normal(one) === other?.toLowerCase();

/** As the header was read: lower case, A-labels, no dot at the end. */
const normal = (name: string): string => {
  const bare = name.trim().toLowerCase().replace(/\.$/, '');
  if (/^[\x20-\x7e]*$/.test(bare)) return bare;
  try {
    return new URL(`http://${Buffer.from(bare, 'latin1').toString('utf8')}`).hostname;
  } catch {
    return bare;
  }
};

/** RFC 6376 §3.5: simple/simple unless said. */
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
  // The library verifies every signature beside the chain, which may cover each of them.
  const affordable = signatures.filter(({ evaluate }) => evaluate);
  if (countSignatures(bytes) > affordable.length) return notEvaluated('too many DKIM signatures');
  if (!affordable.every(({ header }) => isVerifiable(header)))
    return notEvaluated('a DKIM signature cannot be read');

  const resolver = toMailauthResolver(ask);
  const options = { strict: true, minBitLength: MIN_RSA_BITS, resolver };
  const read = await dkimVerify(bytes, { ...options, curTime: context.receivedAt }).catch(
    () => null,
  );
  // A c= of the chain's own signature can be what it gives up on: the others keep their verdicts.
  if (read === null) return notEvaluated('the chain cannot be read');
  if (!read.arc) return NO_CHAIN;
  const chain = Array.isArray(read.arc.chain) ? read.arc.chain : [];
  // The types of its own hand-over are looser than what it takes.
  const result = await arc(read.arc as ARCData, options);
  if (result.status.result === 'none' && chain.length === 0) return NO_CHAIN;
  return toArcFacts(result, chain);
}
