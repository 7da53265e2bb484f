/** Reads an email from a file, together with what its headers say about how it was sent. */

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

/** Facts from the headers about the transaction, for whatever the user does not state. */
export interface MailFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The line of the file where `bytes` begin: 2 after the first line of an mbox. */
  readonly firstLine: number;
  /** From Return-Path, or else From; null if neither can be read. */
  readonly sender: Mailbox | null;
  readonly recipient: Mailbox | null;
  /** RFC 3339: when the last server received it, but not before Date; null if neither can be read. */
  readonly date: string | null;
}

/** Reads a file's bytes as an email, with the line endings with which it would be sent. */
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

/** Converts this machine's line endings to those of SMTP, as a mail server would. */
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
