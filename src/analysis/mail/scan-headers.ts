/**
 * Parses an email's header block once for everything that needs it, and reads the parts that are needed to
 * start the DNS lookups.
 */

import {
  type DkimSignatureHeader,
  dkimSignatureHeaders,
  furtherSignatures,
  type ListedSignature,
} from '../dkim/parse.ts';
import { type HeaderFrom, readFrom, type TestAddress } from '../headers/address-fields.ts';
import { fieldsNamed, type HeaderBlock, parseHeaderBlock } from '../syntax/header-block.ts';
import { splitWords } from '../syntax/words.ts';

/** Maximum number of ARC sets that are evaluated. A longer chain is invalid (RFC 8617 §4.2.1). */
export const MAX_ARC_SETS = 50;

/** Facts from the header block that the lookups of DKIM and DMARC need. */
export interface HeaderScan {
  readonly headerFrom: HeaderFrom;
  /** The topmost DKIM signatures, at most 20. */
  readonly dkimSignatures: readonly DkimSignatureHeader[];
  /** The DKIM signatures below the first 20, which are listed but not verified. */
  readonly furtherSignatures: readonly ListedSignature[];
  /** Number of ARC sets, complete or not: the highest count among the three ARC header fields. */
  readonly arcSets: number;
  /** Header fields that are worth signing, in lower case, with the number of times that each occurs. */
  readonly signable: readonly { readonly name: string; readonly count: number }[];
  /** Offset at which the body begins, in bytes. */
  readonly bodyOffset: number;
}

// The fields in RFC 6376 §5.4.1, and newer fields that are worth signing.
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
  // An ARC set without its seal breaks the chain, but still counts (RFC 8617 §5.2, step 3A).
  arcSets: Math.max(...ARC_FIELDS.map((name) => fieldsNamed(block, name).length)),
  signable: SIGNABLE.map((name) => ({ name, count: fieldsNamed(block, name).length })).filter(
    ({ count }) => count > 0,
  ),
  bodyOffset: block.bodyOffset,
});

/** The parsed header block of an email, read once for everything that needs it. */
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
 * The information besides the bytes that the code reading an email may have. Plain data that is passed to a
 * worker thread.
 */
export interface ReadContext {
  /** Time at which the email arrived (RFC 3339). */
  readonly receivedAt: string;
  readonly testAddress: TestAddress;
  readonly nullSender: boolean;
  readonly helo: string | null;
  readonly smtputf8: boolean;
}
