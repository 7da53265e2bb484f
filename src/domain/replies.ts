/**
 * Lists the SMTP replies about an email, its sender, its recipient, the connection and the state of the
 * service, and formats them with their facts.
 */

/**
 * Every reply about an email, its sender, its recipient, the connection and the state of the service, as it
 * is sent: the reply code, the enhanced code (RFC 3463), what is wrong, what to do, and where to read more.
 * The key is also the label of a metric, so it is never renamed. `src/adapters/smtp/own-words.ts` contains
 * the replies to other commands.
 */
export const replies = {
  analysed: '250 2.0.0 Your email was analysed and its report is ready. {page}',
  repeated: '250 2.0.0 This email was already analysed, and its report is ready. {page}',
  failed:
    '250 2.0.0 Received, but the analysis failed. The same email would fail again: create a new test at {site}',
  unauthenticated:
    '550 5.7.26 Refused: SPF is {spf} for {envelope_domain} from {ip}, and DKIM is {dkim}. {remedy}, and send again before {until}. Details: {page}',
  dmarc:
    '550 5.7.1 Refused: the DMARC record of {record_domain} asks for this ({policy}), because neither SPF ({spf_domain}) nor DKIM ({dkim_domains}) is aligned with {from_domain}{strict}. {remedy}, and send again before {until}. Details: {page}',
  blocklisted:
    '554 5.7.1 Refused: {ip} is listed by {list}. Request removal at {removal_url}, or send from another IP address, before {until}. Details: {page}',
  unknown_address:
    '550 5.1.1 No test has this address. It may be mistyped, or its test may have been deleted. Create a new test at {site}',
  bad_recipient: '553 5.1.3 The recipient address is not valid. Copy it again from your test.',
  used: '550 5.7.1 This test address has already received its one email. To test another, create a new test at {site}',
  closed:
    '550 5.7.1 This test address is closed, because no email was accepted in time. Create a new test at {site}',
  relaying:
    '550 5.7.1 This server accepts mail only for {mail_domain}. Send to the address of your test, or create one at {site}',
  write_to_contact: '551 5.1.6 Nobody reads mail sent to this address. Write to {contact} instead.',
  nobody_to_write_to:
    '550 5.2.1 Nobody reads mail sent to this address, and this service lists no contact. About this service: {site}',
  bad_sender:
    '501 5.1.7 The sender address is not valid. Send MAIL FROM with an address at a domain name.',
  bad_envelope:
    '501 5.5.4 The provider did not give a usable sender and recipient. See the Worker in docs/operations.md.',
  unknown_parameter:
    '555 5.5.4 A MAIL FROM or RCPT TO parameter is not supported. Send only those that EHLO lists.',
  test_busy:
    '451 4.3.0 Two emails to this address are already arriving. Try again in a few minutes.',
  second_recipient:
    '452 4.5.3 Only one recipient is accepted per email. Send a separate email to each of the others.',
  analysing: '451 4.3.0 An earlier email to this address is being analysed. Try again in a minute.',
  temporary_failure:
    '451 4.3.0 The problem is with this service, not with your email. Try again in a few minutes.',
  resolver_down:
    '451 4.4.3 The DNS resolver of this service is not answering. Try again in a few minutes.',
  overloaded:
    '451 4.3.2 This service is too busy to check your email reliably. Try again in a few minutes.',
  too_much_mail:
    '452 4.3.1 This service is holding as much mail as it can. Try again in a few minutes.',
  too_large:
    '552 5.3.4 Your email is larger than the limit of {n} bytes. Send a smaller one to the same address.',
  malformed:
    '554 5.6.0 Refused: {what} is over the limit of {n}. Send an email within this limit to the same address.',
  empty: '554 5.6.0 Refused: the message is empty. Send one with a header and a body.',
  memory_full:
    '452 4.3.1 The memory for emails is full, and of the networks that can make room, none uses more than yours. Try again in a minute.',
  memory_gave_way:
    '421 4.3.1 The memory for emails is full, and of the networks that can make room, yours uses the largest share. Try again in a minute.',
  too_much_waiting:
    '452 4.3.1 The memory for emails that are waiting for analysis is full. Try again in a minute.',
  gave_way:
    '421 4.3.2 All connections are in use, and your network uses the largest share. This connection has been the least active, so it is being closed to make room. Try again in a minute.',
  replaced:
    '421 4.3.0 A newer email to this address replaces this one: only two may arrive at a time. Try again in a few minutes.',
  too_many_recipients:
    '421 4.7.0 Too many of your recipients have no test here. Check the address, and try again in a minute.',
  too_many_commands:
    '421 4.7.0 You sent too many commands without an email. Connect again in a minute, and send one.',
  no_proxy_header:
    '421 4.3.0 A proxy in front of this service did not say who you are. Try again in a few minutes.',
  stopping: '421 4.3.2 This service is restarting. Try again in a minute.',
  timed_out: '421 4.4.2 You sent nothing for too long. Connect again.',
  too_slow: '421 4.4.2 Your email arrived too slowly. Connect again, and send it without pauses.',
} as const;

export type ReplyName = keyof typeof replies;

type Placeholders<Text> = Text extends `${string}{${infer Name}}${infer Tail}`
  ? Name | Placeholders<Tail>
  : never;

/**
 * Links in replies that the receiver adds itself, because it knows the test and the service's own address.
 */
export type ReplyLinks = Readonly<Record<'site' | 'page', string>>;

type FactsOf<Name extends ReplyName> = Readonly<
  Record<Exclude<Placeholders<(typeof replies)[Name]>, keyof ReplyLinks>, string>
>;

/**
 * A reply, with the facts that its sentence contains: domains and addresses of hosts, never a local part.
 */
export interface MailVerdict {
  readonly reply: ReplyName;
  readonly facts: Readonly<Record<string, string>>;
}

/**
 * Returns the reply with this name. The caller passes in the facts for the placeholders of the sentence,
 * except links.
 */
export function verdict<Name extends ReplyName>(
  reply: Name,
  ...[facts]: keyof FactsOf<Name> extends never ? [] : [FactsOf<Name>]
): MailVerdict {
  return { reply, facts: facts ?? {} };
}

/** Maximum length of a reply line in octets. RFC 5321 §4.5.3.1.5 allows 512 including the CRLF. */
const MAX_REPLY = 500;

/** Placeholders whose values are never cut, because they would then be useless. */
const WHOLE = new Set(['until', 'page', 'site', 'ip', 'n', 'remedy']);

/** Shortest length to which a name may be cut, in characters. */
const SHORTEST = 16;

export interface SmtpReply {
  readonly code: number;
  /** The enhanced code and the sentence, without the reply code. */
  readonly text: string;
}

/** Formats a verdict as an SMTP reply: one line of printable ASCII, with names cut if necessary. */
export function toReply({ reply, facts }: MailVerdict): SmtpReply {
  const line = fill(replies[reply], facts);
  return { code: Number(line.slice(0, 3)), text: line.slice(4) };
}

function fill(template: string, facts: MailVerdict['facts']): string {
  for (let longest = 255; ; longest -= 8) {
    const line = template.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = (facts[name] ?? '').replace(/[^\x20-\x7e]/g, '?');
      const whole = WHOLE.has(name) || value.length <= longest;
      return whole ? value : `${value.slice(0, longest - 3)}...`;
    });
    if (line.length <= MAX_REPLY || longest <= SHORTEST) return line.slice(0, MAX_REPLY);
  }
}
