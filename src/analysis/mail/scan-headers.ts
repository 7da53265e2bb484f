import {
  type DkimSignatureHeader,
  dkimSignatureHeaders,
  furtherSignatures,
  type ListedSignature,
} from '../dkim/parse.ts';
import { type HeaderFrom, readFrom, type TestAddress } from '../headers/address-fields.ts';
import { fieldsNamed, type HeaderBlock, parseHeaderBlock } from '../syntax/header-block.ts';
import { splitWords } from '../syntax/words.ts';

/** RFC 8617 §4.2.1: a chain of more is invalid, and not looked at. */
export const MAX_ARC_SETS = 50;

/** What the header block alone shows: enough to begin the lookups of DKIM and DMARC. */
export interface HeaderScan {
  readonly headerFrom: HeaderFrom;
  /** From the top, 20 at most. */
  readonly dkimSignatures: readonly DkimSignatureHeader[];
  /** Those below: only listed. */
  readonly furtherSignatures: readonly ListedSignature[];
  /** ARC sets, whole or not: the most of one of their three fields. */
  readonly arcSets: number;
  /** Fields that are worth signing, in lower case, with how often each is there. */
  readonly signable: readonly { readonly name: string; readonly count: number }[];
  /** Where the body begins, in bytes. */
  readonly bodyOffset: number;
}

// RFC 6376 §5.4.1, and what has become worth signing since.
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
  // RFC 8617 §5.2, step 3A: a set without its seal breaks the chain, it does not undo it.
  arcSets: Math.max(...ARC_FIELDS.map((name) => fieldsNamed(block, name).length)),
  signable: SIGNABLE.map((name) => ({ name, count: fieldsNamed(block, name).length })).filter(
    ({ count }) => count > 0,
  ),
  bodyOffset: block.bodyOffset,
});

/** The header block of a mail, read once for all that needs it. */
export interface MailHead {
  readonly block: HeaderBlock;
  readonly from: ReturnType<typeof readFrom>;
  readonly scan: HeaderScan;
}

/** Takes the header block alone, or the whole mail, of which it reads nothing else. */
export function readMailHead(bytes: Uint8Array): MailHead {
  const block = parseHeaderBlock(bytes);
  const from = readFrom(block);
  return { block, from, scan: scanBlock(block, from.header) };
}

/** What the reading of a mail may know besides its bytes. Plain data: it crosses to a worker. */
export interface ReadContext {
  /** RFC 3339. */
  readonly receivedAt: string;
  readonly testAddress: TestAddress;
  readonly nullSender: boolean;
  readonly helo: string | null;
  readonly smtputf8: boolean;
}
