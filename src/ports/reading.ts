import type { ArcFacts } from '../analysis/arc/facts.ts';
import type { DkimSignatureHeader } from '../analysis/dkim/parse.ts';
import type { ContentFacts, HeaderFacts } from '../analysis/facts.ts';
import type { LinkFacts } from '../analysis/links/facts.ts';
import type { LookupResult } from '../analysis/lookup-result.ts';
import type { MailHead, ReadContext } from '../analysis/mail/scan-headers.ts';
import type { WayFacts } from '../analysis/way/facts.ts';
import type { DkimReason, DkimResult } from '../domain/report/authentication.ts';
import type { Resolver } from './dns.ts';

/** What verifying one signature gave. `not_evaluated` and `malformed` come without the rest. */
export interface SignatureVerdict {
  readonly result: DkimResult;
  readonly reason: DkimReason | null;
  /** What makes it `malformed`, in words of ours; null: nothing, or it is not known. */
  readonly fault: string | null;
  readonly bodyHash: 'match' | 'mismatch' | null;
  /** Of the key, when the verification came to it. */
  readonly keyBits: number | null;
  /** Bytes of the body behind `l=`. */
  readonly unsignedTailBytes: number;
  /** What it is of, where the key or a header may be why it does not count: of one that verifies, its key may. */
  readonly signed?: SignedHeaders;
}

/** What a signature is of, as its verification read it. */
export interface SignedHeaders {
  /** The names of the fields that it covers, in the order in which they were signed. */
  readonly names: readonly string[];
  /** These fields canonicalized, and its own behind them. Characters are bytes. */
  readonly text: string;
  /** `b=`, in base64. */
  readonly signature: string;
}

/** The first part of a reading. */
export interface AuthenticationPart {
  /** One for each signature of the job, in its order. */
  readonly signatures: readonly SignatureVerdict[];
  readonly arc: LookupResult<ArcFacts>;
  /** The provider's own seal; null: the mail has none, or its key did not answer. */
  readonly sealVerified: boolean | null;
  /** A body line is too long to be hashed: nothing was verified. */
  readonly bodyLineTooLong: boolean;
}

/** The second part of a reading: what the mail holds. */
export interface ContentPart {
  readonly headers: HeaderFacts;
  readonly content: ContentFacts;
  readonly links: LinkFacts;
  readonly way: WayFacts;
}

export interface MailJob {
  readonly context: ReadContext;
  /** Offset of the sender's own bytes, below a provider's header block. */
  readonly ownFrom: number;
  /** In the order of the mail; `evaluate`: the input limits allow it. */
  readonly signatures: readonly {
    readonly header: DkimSignatureHeader;
    readonly evaluate: boolean;
  }[];
  /** The mail has ARC sets within the limit (RFC 8617 §4.2.1). */
  readonly verifyArc: boolean;
  /** Whose it is, the widest network first. */
  readonly path: readonly string[];
}

/** With what the sender's header block showed. */
export interface ReadingJob extends MailJob {
  readonly head: MailHead;
}

export type VerifyMail = (
  mail: Uint8Array<ArrayBuffer>,
  job: MailJob,
  ask: Resolver['ask'],
) => Promise<AuthenticationPart>;

/** A mail that is being read in a worker. `null`: the worker was lost before that part. */
export interface WorkerReading {
  readonly authentication: Promise<AuthenticationPart | null>;
  readonly content: Promise<ContentPart | null>;
  /** Where the content waits for it: the gate comes first. */
  readonly beginContent?: () => void;
  /** Ends the worker if it still reads; the mail's bytes go with its memory. */
  stop(): void;
}

/** Reads a mail in this worker thread. The buffer is overwritten at the end. */
export type ReadInWorker = (
  mail: Uint8Array<ArrayBuffer>,
  job: ReadingJob,
  resolver: Resolver,
) => WorkerReading;
