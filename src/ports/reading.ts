/**
 * Declares the ports through which the bytes of an email are read: the verification of its signatures, and
 * the collection of facts about its content.
 */

import type { ArcFacts } from '../analysis/arc/facts.ts';
import type { ProvedChange } from '../analysis/dkim/changes.ts';
import type { DkimSignatureHeader } from '../analysis/dkim/parse.ts';
import type { ContentFacts, HeaderFacts } from '../analysis/facts.ts';
import type { LinkFacts } from '../analysis/links/facts.ts';
import type { LookupResult } from '../analysis/lookup-result.ts';
import type { MailHead, ReadContext } from '../analysis/mail/scan-headers.ts';
import type { RouteFacts } from '../analysis/route/facts.ts';
import type { DkimReason, DkimResult } from '../domain/report/authentication.ts';
import type { Resolver } from './dns.ts';

/**
 * The result of verifying one signature. With `not_evaluated` and `malformed`, all other facts are missing.
 */
export interface SignatureVerdict {
  readonly result: DkimResult;
  readonly reason: DkimReason | null;
  /**
   * The fault that makes a signature `malformed`, in our own words. Null if there is none, or if it is
   * unknown.
   */
  readonly fault: string | null;
  readonly bodyHash: 'match' | 'mismatch' | null;
  /** Size of the key in bits, if the verification got that far. */
  readonly keyBits: number | null;
  /** Number of body bytes beyond `l=`. */
  readonly unsignedTailBytes: number;
  /**
   * The signed data, if the key or a header may be the reason why the signature does not count. If the
   * signature verifies, only the key may be the reason.
   */
  readonly signed?: SignedHeaders;
  /**
   * The SHA-256 of the body that was signed (`bh=`), in base64, if it is not the hash of the body that
   * arrived.
   */
  readonly signedBodyHash?: string;
  /** The change to the body after signing, if it was proved. */
  readonly changed?: ProvedChange;
}

/** The data that a signature covers, as the verification read it. */
export interface SignedHeaders {
  /** The names of the covered fields, in the order in which they were signed. */
  readonly names: readonly string[];
  /** These fields in canonical form, followed by the signature's own field. Characters are bytes. */
  readonly text: string;
  /** The signature itself (`b=`), in base64. */
  readonly signature: string;
}

/** The first part of a reading: the verdicts on the email's DKIM signatures and its ARC chain. */
export interface AuthenticationPart {
  /** A verdict for each signature of the job, in the same order. */
  readonly signatures: readonly SignatureVerdict[];
  readonly arc: LookupResult<ArcFacts>;
  /**
   * True if the provider's own seal verifies. Null if the email has none, or if its key could not be looked
   * up.
   */
  readonly sealVerified: boolean | null;
  /** True if a body line is too long to be hashed, so that nothing was verified. */
  readonly bodyLineTooLong: boolean;
}

/** The second part of a reading: what the email contains. */
export interface ContentPart {
  readonly headers: HeaderFacts;
  readonly content: ContentFacts;
  readonly links: LinkFacts;
  readonly route: RouteFacts;
}

export interface MailJob {
  readonly context: ReadContext;
  /** Offset of the sender's own bytes, below a provider's header block. */
  readonly ownFrom: number;
  /**
   * The signatures in the order of the email. `evaluate` says that the input limits allow a signature to be
   * verified.
   */
  readonly signatures: readonly {
    readonly header: DkimSignatureHeader;
    readonly evaluate: boolean;
  }[];
  /** True if the email has ARC sets within the limit (RFC 8617 §4.2.1). */
  readonly verifyArc: boolean;
  /** The networks that the email's client belongs to, the widest first. */
  readonly path: readonly string[];
}

/** A job with what the sender's header block showed. */
export interface ReadingJob extends MailJob {
  readonly head: MailHead;
  /** True if the bytes are needed after they have been read. If so, the caller overwrites them. */
  readonly keepsBytes: boolean;
}

export type VerifyMail = (
  mail: Uint8Array<ArrayBuffer>,
  job: MailJob,
  ask: Resolver['ask'],
) => Promise<AuthenticationPart>;

/**
 * An email that is being read in a worker. A part is null if the worker was lost before that part was
 * finished.
 */
export interface OngoingReading {
  readonly authentication: Promise<AuthenticationPart | null>;
  readonly content: Promise<ContentPart | null>;
  /** Starts reading the content if that waits for the gate, which decides first. */
  readonly beginContent?: () => void;
  /** Ends the worker if it is still reading. The bytes of the email disappear with its memory. */
  stop(): void;
}

/** Reads an email in this worker thread. The buffer is overwritten at the end, unless it is to be kept. */
export type BeginReading = (
  mail: Uint8Array<ArrayBuffer>,
  job: ReadingJob,
  resolver: Resolver,
) => OngoingReading;
