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
import { usageError } from '../exit.ts';

const LF = 0x0a;
const CR = 0x0d;

/** The byte order mark of UTF-8, with which some editors begin a file. */
const UTF8_MARK = '\xef\xbb\xbf';

/** The first bytes of files that contain no email as text, with what they are and what to do. */
const OTHER_FORMS: readonly (readonly [start: string, fault: string])[] = [
  ['\xff\xfe', 'is in UTF-16. Save it in UTF-8.'],
  ['\xfe\xff', 'is in UTF-16. Save it in UTF-8.'],
  ['\xd0\xcf\x11\xe0', 'is in a format of Microsoft Office, such as .msg. Save the email as .eml.'],
  ['PK\x03\x04', 'is an archive. Unpack it first.'],
  ['\x1f\x8b', 'is compressed. Unpack it first.'],
];

/** Fields of which every email has at least one, even a draft or a part of an email. */
const USUAL_FIELDS = [
  ...['from', 'to', 'subject', 'date', 'message-id', 'received', 'return-path', 'sender'],
  ...['mime-version', 'content-type', 'cc', 'reply-to', 'dkim-signature'],
];

/** Matches the `From` line of a second email in a mbox (RFC 4155), which ends with the date. */
const NEXT_MBOX_LINE = /\n\r?\nFrom \S+ +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) +[A-Z][a-z][a-z] +\d/;

/**
 * An email, with facts about its transaction from the headers, which are used where the user states none.
 */
export interface MailFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The line of the file at which `bytes` begin: 2 if the first line is not part of the email. */
  readonly firstLine: number;
  /** True if the file begins with a byte order mark, which is not part of `bytes`. */
  readonly isMarked: boolean;
  /** The sender from Return-Path, or from From if that is missing; null if neither can be read. */
  readonly sender: Mailbox | null;
  readonly recipient: Mailbox | null;
  /**
   * Time in RFC 3339 format at which the last server received the email, but not before its Date; null if
   * neither can be read.
   */
  readonly date: string | null;
}

/**
 * Reads the bytes of a file as an email, with the line endings that it would be sent with.
 *
 * @param name what an error calls the file
 * @throws CommandError if the file does not contain one email as text
 */
export function toMailFile(file: Uint8Array<ArrayBuffer>, name = 'The email'): MailFile {
  const isMarked = startsWith(file, UTF8_MARK);
  const text = isMarked ? file.subarray(UTF8_MARK.length) : file;
  const mail = withoutFirstLine(text, name);
  const bytes = toWireForm(mail);
  const block = parseHeaderBlock(bytes);
  const fault = faultOf(file, block);
  if (fault !== null) throw usageError(`${name} ${fault}`);
  const first = (field: string) => firstMailbox(block, field);
  return {
    bytes,
    firstLine: mail === text ? 1 : 2,
    isMarked,
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

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, length);

const startsWith = (bytes: Uint8Array, start: string): boolean =>
  bufferOf(bytes.subarray(0, start.length)).toString('latin1') === start;

/** Returns why a file is no email, or null if it is one. */
function faultOf(file: Uint8Array, block: HeaderBlock): string | null {
  const other = OTHER_FORMS.find(([start]) => startsWith(file, start));
  if (other) return other[1];
  if (file.every((byte) => byte <= 0x20)) return 'is empty.';
  if (USUAL_FIELDS.some((name) => block.byName.has(name))) return null;
  return 'has no email header. An email begins with fields such as From: and Subject:, with a blank line only after the last one.';
}

/**
 * Removes the first line if it belongs to the file instead of the email: the line `From sender date` of a
 * mbox (RFC 4155), or the length of the email in a file of Apple Mail (.emlx), which has more after it.
 */
function withoutFirstLine(bytes: Uint8Array<ArrayBuffer>, name: string): Uint8Array<ArrayBuffer> {
  const start = bytes.indexOf(LF) + 1;
  if (startsWith(bytes, 'From ')) {
    if (NEXT_MBOX_LINE.test(bufferOf(bytes).toString('latin1')))
      throw usageError(
        `${name} is a mailbox with several emails. Split it into one file per email, for example with \`git mailsplit\`.`,
      );
    return bytes.slice(start);
  }
  const [length] =
    /^\d{1,9}(?=[ \t]*\r?$)/.exec(
      bufferOf(bytes.subarray(0, Math.max(0, start - 1))).toString('latin1'),
    ) ?? [];
  return length === undefined ? bytes : bytes.slice(start, start + Number(length));
}
