/**
 * Reads an email from a file, together with what its headers say about the transaction in which it was sent.
 */

import { type Mailbox, parseAddressList } from '../../analysis/headers/address-list.ts';
import { readDate } from '../../analysis/headers/date.ts';
import { readHop } from '../../analysis/route/received.ts';
import { headerText } from '../../analysis/syntax/charset.ts';
import {
  fieldsNamed,
  type HeaderBlock,
  parseHeaderBlock,
} from '../../analysis/syntax/header-block.ts';

const LF = 0x0a;
const CR = 0x0d;

/**
 * An email, with facts about its transaction from the headers, which are used where the user states none.
 */
export interface MailFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The line of the file at which `bytes` begin: 2 if the file begins with the `From` line of an mbox. */
  readonly firstLine: number;
  /** The sender from Return-Path, or from From if that is missing; null if neither can be read. */
  readonly sender: Mailbox | null;
  readonly recipient: Mailbox | null;
  /**
   * Time in RFC 3339 format at which the last server received the email, but not before its Date; null if
   * neither can be read.
   */
  readonly date: string | null;
}

/** Reads the bytes of a file as an email, with the line endings that it would be sent with. */
export function toMailFile(file: Uint8Array<ArrayBuffer>): MailFile {
  const mail = withoutMboxLine(file);
  const bytes = toWireForm(mail);
  const block = parseHeaderBlock(bytes);
  const first = (name: string) => firstMailbox(block, name);
  return {
    bytes,
    firstLine: mail === file ? 1 : 2,
    sender: first('return-path') ?? first('from'),
    recipient: first('to') ?? first('cc'),
    date: arrivalOf(block),
  };
}

function arrivalOf(block: HeaderBlock): string | null {
  const [last] = fieldsNamed(block, 'received');
  const instants = [
    readDate(block, new Date(0).toISOString()).instant,
    last && readHop(last.value).at,
  ];
  const known = instants.flatMap((instant) => instant ?? []).map((instant) => Date.parse(instant));
  return known.length > 0 ? new Date(Math.max(...known)).toISOString() : null;
}

const firstMailbox = (block: HeaderBlock, name: string): Mailbox | null => {
  const value = fieldsNamed(block, name)[0]?.value;
  const mailbox = value && parseAddressList(headerText(value)).mailboxes[0];
  return mailbox && mailbox.domain !== null ? mailbox : null;
};

/** Converts the line endings of this machine to those of SMTP (CRLF), as a mail server would. */
function toWireForm(mail: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (mail.includes(CR)) return mail;
  const lines = mail.reduce((sum, byte) => sum + (byte === LF ? 1 : 0), 0);
  const wire = new Uint8Array(mail.length + lines);
  let at = 0;
  for (const byte of mail) {
    if (byte === LF) wire[at++] = CR;
    wire[at++] = byte;
  }
  return wire;
}

/** Removes the line `From sender date` above the headers (RFC 4155). */
function withoutMboxLine(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const isMbox = Buffer.from(bytes.buffer, 0, Math.min(5, bytes.length)).toString() === 'From ';
  return isMbox ? bytes.slice(bytes.indexOf(LF) + 1) : bytes;
}
