/**
 * Every answer a sender can get, as it stands on the wire: the code, the enhanced code (RFC 3463),
 * a sentence. The key is also a metric's label: it is never renamed.
 */
export const replies = {
  analysed: '250 2.0.0 Analysed. The report is ready.',
  repeated: '250 2.0.0 Already analysed. The report is ready.',
  failed: '250 2.0.0 Received, but the analysis failed. Create a new test.',
  unauthenticated:
    '550 5.7.26 Refused: SPF is {spf} for {envelope_domain} from {ip}, and DKIM is {dkim}. Publish SPF for {ip} or sign with DKIM, and send again before {until}. {status}',
  dmarc:
    '550 5.7.1 Refused: DMARC of {record_domain} says {policy}, and neither SPF ({spf_domain}) nor DKIM ({dkim_domains}) is aligned with {from_domain}{strict}. Align one of them and send again before {until}. {status}',
  blocklisted:
    '554 5.7.1 Refused: {ip} is listed by {list}. Ask for removal at {removal_url} or send from another IP before {until}. {status}',
  unknown_address:
    '550 5.1.1 No such test address. It may be deleted, or mistyped; create a new test.',
  used: '550 5.7.1 This test address has received its one mail. Create a new test.',
  closed: '550 5.7.1 This test address is closed: no mail passed in time. Create a new test.',
  relaying: '550 5.7.1 Only test addresses at {mail_domain} are accepted here.',
  write_to_contact: '551 5.1.6 Please write to {contact}.',
  bad_sender: '501 5.1.7 The sender address is not valid.',
  bad_envelope: '501 5.5.4 The provider stated no usable sender and recipient.',
  second_recipient: '452 4.5.3 One recipient a mail; send the others separately.',
  analysing: '451 4.3.0 An earlier copy of this mail is being analysed. Try again later.',
  temporary_failure: '451 4.3.0 Temporary failure here. Try again later.',
  resolver_down: '451 4.4.3 Our DNS does not answer. Try again later.',
  too_much_mail: '452 4.3.1 Too much mail at once. Try again later.',
  too_large: '552 5.3.4 The limit is {n} bytes.',
  malformed: '554 5.6.0 Refused: {what} (limit {n}).',
  empty: '554 5.6.0 Refused: the message is empty.',
  too_many_connections: '421 4.7.0 Too many connections. Try again later.',
  stopping: '421 4.3.2 Shutting down. Try again later.',
  timed_out: '421 4.4.2 Too slow. Try again later.',
} as const;

export type ReplyName = keyof typeof replies;

type Holes<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Holes<Rest>
  : never;

type FactsOf<Name extends ReplyName> = Readonly<Record<Holes<(typeof replies)[Name]>, string>>;

/** One answer with the facts that its sentence names: domains and addresses of hosts, no local part. */
export interface MailVerdict {
  readonly reply: ReplyName;
  readonly facts: Readonly<Record<string, string>>;
}

/** The answer of that name; its facts are exactly those that its sentence has braces for. */
export function verdict<Name extends ReplyName>(
  reply: Name,
  ...[facts]: keyof FactsOf<Name> extends never ? [] : [FactsOf<Name>]
): MailVerdict {
  return { reply, facts: facts ?? {} };
}

/** Octets of a reply line; RFC 5321 §4.5.3.1.5 allows 512 with the CRLF. */
const MAX_REPLY = 500;

/** Facts that are of no use in part. */
const WHOLE = new Set(['until', 'status', 'ip', 'n']);

/** Shortest piece of a name that is still shown, in characters. */
const SHORTEST = 16;

/** A verdict as SMTP says it: one line of printable ASCII, names cut to fit. */
export function toReply({ reply, facts }: MailVerdict): {
  readonly code: number;
  /** Without the code: the enhanced code and the sentence. */
  readonly text: string;
} {
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
