/**
 * Decides, at RCPT and at the end of the data, whether an email is accepted: by its address, by the state of
 * its test, and by whether the same email arrived before. Does no I/O.
 */

import { isTestId, SAMPLE_ID, type TestId } from '../../domain/ids.ts';
import { type MailVerdict, verdict } from '../../domain/replies.ts';
import type { MailEnvelope } from '../../ports/mail.ts';
import type { Row } from '../../projection/row.ts';

interface AddressSettings {
  readonly mailDomain: string;
  /** Null if the operator has set no contact address. */
  readonly contactEmail: string | null;
}

/** Mailboxes that every domain must have, in any letter case (RFC 5321 §4.5.1, RFC 2142 §2). */
const FOR_PEOPLE = /^(?:postmaster|abuse)$/i;

/** Returns a local part without its quotation marks. All quoted forms are equivalent (RFC 5321 §4.1.2). */
const unquoted = (localPart: string): string =>
  /^"(.*)"$/s.exec(localPart)?.[1]?.replace(/\\(.)/gs, '$1') ?? localPart;

/** Lower-casing alone would turn letters such as the Kelvin sign into ASCII letters. */
const ASCII = /^[A-Za-z0-9]+$/;

/** Returns the test that an address belongs to, judging by the text of the address alone. */
export function decideAddress(
  to: MailEnvelope['to'],
  { mailDomain, contactEmail }: AddressSettings,
): { readonly testId: TestId } | MailVerdict {
  const { domain } = to;
  const localPart = unquoted(to.localPart);
  // `<postmaster>` needs no domain (RFC 5321 §4.1.1.3).
  if (domain !== mailDomain && !(domain === '' && FOR_PEOPLE.test(localPart)))
    return verdict('relaying', { mail_domain: mailDomain });
  if (FOR_PEOPLE.test(localPart))
    return contactEmail === null
      ? verdict('nobody_to_write_to')
      : verdict('write_to_contact', { contact: contactEmail });

  const testId = localPart.toLowerCase();
  return ASCII.test(localPart) && isTestId(testId) && testId !== SAMPLE_ID
    ? { testId }
    : verdict('unknown_address');
}

const isOpen = ({ status, context }: Row, now: number) =>
  status === 'waiting' && now < Date.parse(context.sendBefore);

/** Decides at RCPT: `open` accepts the email, `compare` reads it only to recognize a retry. */
export function decideRecipient(row: Row, now: number): 'open' | 'compare' | MailVerdict {
  if (isOpen(row, now)) return 'open';
  if (row.status === 'processing') return verdict('analysing');
  return row.status === 'ready' || row.status === 'analysis_failed' ? 'compare' : verdict('closed');
}

/**
 * Decides at the end of the data, and again after each lost append. `gate` means that the test is still open.
 */
export function decideContent(
  row: Row | undefined,
  digest: string,
  now: number,
): 'gate' | MailVerdict {
  if (!row) return verdict('unknown_address');
  const decision = decideRecipient(row, now);
  if (decision === 'open') return 'gate';
  if (decision !== 'compare') return decision;
  if (row.context.digest !== digest) return verdict('used');
  return verdict(row.status === 'ready' ? 'repeated' : 'failed');
}
