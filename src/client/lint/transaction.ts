/**
 * Builds the SMTP transaction of an email in a file from the command-line options, and from the email's
 * headers for the rest.
 */

import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { canonicalIp } from '../../analysis/addresses.ts';
import type { Mailbox } from '../../analysis/headers/address-list.ts';
import { toDomain } from '../../analysis/names/domain-names.ts';
import { toBase32 } from '../../domain/ids.ts';
import type { ClientFacts } from '../../ports/mail.ts';
import { usageError } from '../exit.ts';
import { bareAddress } from '../options.ts';
import type { LintedMail } from './lint-mail.ts';
import type { MailFile } from './read-mail-file.ts';

/**
 * Facts that the user states about the SMTP transaction in which an email would arrive. The email's headers
 * supply the others.
 */
export interface LintTransaction {
  readonly ip?: string | undefined;
  readonly helo?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly at?: string | undefined;
  readonly smtputf8?: boolean | undefined;
}

/** Recipient for an email that names none. */
const NOBODY = { localPart: 'recipient', domain: 'test.invalid' };

/**
 * Creates the function that adds the transaction to an email. The options are parsed first, because a mistake
 * in them is not a mistake in the email.
 */
export function mailReader(values: LintTransaction): (file: MailFile) => LintedMail {
  const { ip, helo, smtputf8 } = values;
  if (ip !== undefined && isIP(ip) === 0)
    throw usageError(`--ip must be an IP address, not ${ip}.`);
  const client: ClientFacts = {
    ip: ip === undefined ? null : canonicalIp(ip),
    helo: helo ?? null,
    source: 'smtp',
    tls: { status: 'not_observable', version: null, cipher: null },
  };
  const from = values.from === undefined ? null : toSender(values.from);
  const to = values.to === undefined ? null : toAddress('--to', values.to);
  const at = values.at === undefined ? null : toInstant(values.at);
  return ({ bytes, sender, recipient, date }) => ({
    testId: idOf(bytes),
    // The analysis gets a copy, because it overwrites the bytes that it has read.
    bytes: bytes.slice(),
    client,
    from: { ...(from ?? toAddressOf(sender) ?? NULL_SENDER), smtputf8: smtputf8 === true },
    to: to ?? toAddressOf(recipient) ?? NOBODY,
    receivedAt: at ?? date ?? new Date().toISOString(),
  });
}

/**
 * Returns an id that has the shape of a test id, as the report's schema requires. The same file always gets
 * the same id.
 */
const idOf = (bytes: Uint8Array): string =>
  toBase32(createHash('sha256').update(bytes).digest()).slice(0, 12);

/** The empty envelope sender of bounces (RFC 5321 §4.5.5). */
const NULL_SENDER = { localPart: '', domain: '' };

const toAddressOf = (mailbox: Mailbox | null) =>
  mailbox && { localPart: mailbox.local, domain: mailbox.domain ?? '' };

const toSender = (from: string) =>
  bareAddress(from) === '' ? NULL_SENDER : toAddress('--from', from);

function toAddress(option: string, given: string) {
  const text = bareAddress(given);
  const at = text.lastIndexOf('@');
  const host = text.slice(at + 1);
  // An address literal (RFC 5321 §4.1.3) is not a domain, but may be used instead of one.
  const domain = at < 1 ? null : /^\[[^\s\]]+\]$/.test(host) ? host : toDomain(host);
  if (domain === null) throw usageError(`${option} must be an email address, not ${given}.`);
  return { localPart: text.slice(0, at), domain };
}

function toInstant(text: string): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime()))
    throw usageError(`--at must be a time such as 2026-11-22T10:00:00Z, not ${text}.`);
  return at.toISOString();
}
