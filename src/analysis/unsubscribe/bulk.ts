import type { HeaderFacts } from '../mail-facts.ts';
import { isPublicName, toDomain } from '../names/domain-names.ts';
import { fieldsNamed, firstNamed, type HeaderBlock } from '../syntax/header-block.ts';

export interface BulkReading {
  readonly facts: HeaderFacts['bulk'];
  /** Names of the headers that make it bulk. */
  readonly evidence: readonly string[];
  readonly autoSubmitted: string | null;
  readonly precedence: string | null;
  readonly listId: string | null;
}

// Never List-Unsubscribe: adding the header we propose must not turn a mail into bulk. Nor
// Feedback-ID and X-CSA-Complaints: providers stamp them on all that they send, letters too.
const BULK_HEADERS = [
  'List-Id',
  'X-Campaign',
  'X-Campaign-ID',
  'X-CampaignID',
  'X-Campaign_ID',
  'X-Mailing-ID',
  'X-Mailing-List',
  'X-Newsletter-ID',
  'X-Bulkmail',
  'X-Mailer-Campaign',
  'X-EM-Campaign',
  'X-Mailchimp-Campaign-ID',
  'X-Mailin-Campaign',
  'X-MC-User',
] as const;

const AUTO_SUBMITTED = ['no', 'auto-generated', 'auto-replied', 'auto-notified'];
const BULK_PRECEDENCE = ['bulk', 'list', 'junk'];

/** A header's keyword, before any parameter; a word of the sender's own making is `other`. */
const keyword = (value: string | null, known: readonly string[]): string | null => {
  if (value === null) return null;
  const word = (value.split(/[;\s(]/, 1)[0] ?? '').toLowerCase();
  return known.includes(word) ? word : 'other';
};

/** RFC 2919 §2: the identifier stands in angle brackets; shown only if it is a domain name. */
const listIdOf = (value: string | null): string | null => {
  if (value === null) return null;
  const open = value.lastIndexOf('<');
  const close = value.indexOf('>', open);
  const name = toDomain(open === -1 || close === -1 ? value : value.slice(open + 1, close).trim());
  return name?.includes('.') && isPublicName(name) ? name : null;
};

/** Decides whether the mail is bulk, and whether a machine says that it wrote it. */
export const readBulk = (
  block: HeaderBlock,
  about: { readonly noReply: boolean; readonly nullSender: boolean },
): BulkReading => {
  const has = (name: string) => fieldsNamed(block, name.toLowerCase()).length > 0;
  const precedence = keyword(firstNamed(block, 'precedence'), [...BULK_PRECEDENCE, 'first-class']);
  const autoSubmitted = keyword(firstNamed(block, 'auto-submitted'), AUTO_SUBMITTED);
  const evidence: string[] = BULK_HEADERS.filter(has);
  // RFC 3834 §3.1.8: auto-replies and bounces say so too, to keep others from answering.
  const answers = about.nullSender || autoSubmitted === 'auto-replied';
  if (!answers && precedence !== null && BULK_PRECEDENCE.includes(precedence))
    evidence.unshift('Precedence');
  return {
    evidence,
    autoSubmitted,
    precedence,
    listId: listIdOf(firstNamed(block, 'list-id')),
    facts: {
      isBulk: evidence.length > 0,
      automated: about.noReply || about.nullSender || has('X-Auto-Response-Suppress'),
      hasAutoSubmitted: autoSubmitted !== null,
      hasListIdOrFeedbackId: has('List-Id') || has('Feedback-ID'),
      oddPrecedence: precedence === 'other',
    },
  };
};
