import { isPublicName, toDomain } from '../names/domain-names.ts';
import { fieldsNamed, firstNamed, type HeaderBlock } from '../syntax/header-block.ts';
import type { UnsubscribeFacts } from './facts.ts';

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

/** What the mail says of itself: that a machine wrote it, that it is of a list. */
export const readMarkers = (
  block: HeaderBlock,
  about: { readonly noReply: boolean; readonly nullSender: boolean },
): Omit<UnsubscribeFacts['bulk'], 'isBulk'> => {
  const has = (name: string) => fieldsNamed(block, name.toLowerCase()).length > 0;
  return {
    automated: about.noReply || about.nullSender || has('X-Auto-Response-Suppress'),
    autoSubmitted: keyword(firstNamed(block, 'auto-submitted'), AUTO_SUBMITTED),
    precedence: keyword(firstNamed(block, 'precedence'), [...BULK_PRECEDENCE, 'first-class']),
    hasListId: has('List-Id'),
    listId: listIdOf(firstNamed(block, 'list-id')),
    hasFeedbackId: has('Feedback-ID'),
  };
};
