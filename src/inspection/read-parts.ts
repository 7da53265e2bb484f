/**
 * Reads the bytes of an email in two parts: verifies its DKIM signatures and ARC chain first, and collects
 * the facts about its content once that is requested. It then overwrites the bytes, unless they are still
 * needed.
 */

import { type GuardResult, guardInput } from '../analysis/mail/input-guard.ts';
import { readMail } from '../analysis/mail/read-mail.ts';
import type { Resolver } from '../ports/dns.ts';
import type {
  AuthenticationPart,
  BeginReading,
  ContentPart,
  ReadingJob,
  VerifyMail,
} from '../ports/reading.ts';
import { withBodyChanges } from './body-changes.ts';
import { orElse } from './deadlines.ts';
import type { InSlice } from './slices.ts';

/** Reads the first part: what the signatures prove. A line that is too long to be hashed prevents this. */
export async function readAuthentication(
  { bodyLineTooLong }: GuardResult,
  mail: Uint8Array,
  job: ReadingJob,
  verify: () => Promise<AuthenticationPart>,
): Promise<AuthenticationPart> {
  if (!bodyLineTooLong) return withBodyChanges(await verify(), mail.subarray(job.ownFrom), job);
  return {
    signatures: [],
    arc: { status: 'unknown', error: 'arc: not evaluated: a body line is over 1 MiB' },
    sealVerified: null,
    bodyLineTooLong: true,
  };
}

/** Reads the second part: what the email contains. */
export function readContentPart(
  mail: Uint8Array<ArrayBuffer>,
  { ownFrom, context, head }: ReadingJob,
  guard: GuardResult,
): ContentPart {
  const own = mail.subarray(ownFrom);
  const { headers, content, links, route } = readMail(own, context, head, guard);
  return { headers, content, links, route };
}

/** Size in bytes from which reading an email can take seconds. */
const LARGE_BYTES = 1024 * 1024;

/** Longest time that a large email waits for its lookups before it is read, in milliseconds. */
const LARGE_WAIT_MS = 5000;

interface Ports {
  readonly verifyMail: VerifyMail;
  /** Called before work that could hang. */
  readonly mark: (resolver: Resolver) => void;
  readonly inSlice: InSlice;
  /** Called if a bug breaks a part of the analysis, which is then missing. */
  readonly onDefect: (part: 'authentication' | 'content', error: unknown) => void;
}

/**
 * Reads emails in this thread: the signatures first, and the content once it is requested. After that, the
 * bytes are overwritten.
 */
export const createReadMail =
  ({ verifyMail, mark, inSlice, onDefect }: Ports): BeginReading =>
  (mail, job, resolver) => {
    const lost = (part: 'authentication' | 'content') => (error: unknown) => {
      onDefect(part, error);
      return null;
    };
    const ask: Resolver['ask'] = async (name, type) => {
      const answer = await resolver.ask(name, type);
      mark(resolver);
      return answer;
    };
    const isLarge = mail.length >= LARGE_BYTES;
    // Reading a large email takes so long that answers which arrive meanwhile would be read too late.
    const calm = async () => {
      if (isLarge && resolver.answered) await orElse(LARGE_WAIT_MS, resolver.answered(), undefined);
    };
    let guard: GuardResult | undefined;
    const seen = () => (guard ??= guardInput(mail.subarray(job.ownFrom)));
    const authenticate = () => {
      mark(resolver);
      return readAuthentication(seen(), mail, job, () => verifyMail(mail, job, ask));
    };
    const turn = { bytes: mail.length, path: job.path };
    const authentication = calm()
      .then(() => inSlice('verify', turn, authenticate))
      .catch(lost('authentication'));
    const wanted = Promise.withResolvers<boolean>();
    const readContent = () => {
      mark(resolver);
      try {
        return readContentPart(mail, job, seen());
      } finally {
        if (!job.keepsBytes) mail.fill(0);
      }
    };
    return {
      authentication,
      content: Promise.all([wanted.promise, authentication]).then(async ([isWanted]) => {
        if (!isWanted) return null;
        await calm();
        return inSlice('read', turn, readContent).catch(lost('content'));
      }),
      beginContent: () => wanted.resolve(true),
      stop: () => wanted.resolve(false),
    };
  };
