/** Reads the header block of an email, enough to start the lookups. */

import {
  type DkimSignatureHeader,
  dkimSignatureHeaders,
  furtherSignatures,
  type ListedSignature,
} from '../dkim/parse.ts';
import { type HeaderFrom, readFrom, type TestAddress } from '../headers/address-fields.ts';
import { fieldsNamed, type HeaderBlock, parseHeaderBlock } from '../syntax/header-block.ts';
import { splitWords } from '../syntax/words.ts';

/** A longer chain is invalid, and is not evaluated (RFC 8617 §4.2.1). */
export const MAX_ARC_SETS = 50;

/** The facts of the header block alone, enough to start the lookups of DKIM and DMARC. */
export interface HeaderScan {
  readonly headerFrom: HeaderFrom;
  /** From the top, at most 20. */
  readonly dkimSignatures: readonly DkimSignatureHeader[];
  /** The signatures below those, which are only listed. */
  readonly furtherSignatures: readonly ListedSignature[];
  /** ARC sets, complete or not: the highest count of their three fields. */
  readonly arcSets: number;
  /** Fields that are worth signing, in lower case, and how often each occurs. */
  readonly signable: readonly { readonly name: string; readonly count: number }[];
  /** Offset at which the body begins, in bytes. */
  readonly bodyOffset: number;
}

// RFC 6376 §5.4.1, and fields that have become worth signing since.
const SIGNABLE = splitWords(
  'from sender reply-to subject date message-id to cc mime-version content-type ' +
    'content-transfer-encoding in-reply-to references list-id list-unsubscribe ' +
    'list-unsubscribe-post feedback-id',
);

const ARC_FIELDS = ['arc-seal', 'arc-message-signature', 'arc-authentication-results'] as const;

const scanBlock = (block: HeaderBlock, headerFrom: HeaderFrom): HeaderScan => ({
  headerFrom,
  dkimSignatures: dkimSignatureHeaders(block),
  furtherSignatures: furtherSignatures(block),
  // A set without its seal breaks the chain, but still counts (RFC 8617 §5.2, step 3A).
  arcSets: Math.max(...ARC_FIELDS.map((name) => fieldsNamed(block, name).length)),
  signable: SIGNABLE.map((name) => ({ name, count: fieldsNamed(block, name).length })).filter(
    ({ count }) => count > 0,
  ),
  bodyOffset: block.bodyOffset,
});

/** The header block of an email, read once for everything that needs it. */
export interface MailHead {
  readonly block: HeaderBlock;
  readonly from: ReturnType<typeof readFrom>;
  readonly scan: HeaderScan;
}

/** Reads the header block. `bytes` may be the block alone or the complete email. */
export function readMailHead(bytes: Uint8Array): MailHead {
  const block = parseHeaderBlock(bytes);
  const from = readFrom(block);
  return { block, from, scan: scanBlock(block, from.header) };
}

/**
 * Everything except the bytes that the code reading an email may know. Plain data that is passed to a worker.
 */
export interface ReadContext {
  /** RFC 3339. */
  readonly receivedAt: string;
  readonly testAddress: TestAddress;
  readonly nullSender: boolean;
  readonly helo: string | null;
  readonly smtputf8: boolean;
}
