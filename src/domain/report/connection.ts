/**
 * Declares the schemas of a report's facts about the sending connection (with its reverse DNS names and the
 * answers of blocklists), the domain's TLS policies, and the inbound provider.
 */

import { type Static, Type } from '@sinclair/typebox';
import {
  count,
  domain,
  domains,
  flag,
  list,
  maybe,
  nullable,
  object,
  openWords,
  optional,
  published,
  record,
  text,
  texts,
  uri,
  words,
} from './shapes.ts';

/** Declares a member that is an IPv4 or IPv6 address. */
const ip = (description: string) =>
  Type.Unsafe<string>(
    Type.String({
      description,
      anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }],
      examples: ['192.0.2.25'],
    }),
  );

const ForwardAddresses = record(
  texts('The addresses of this name.', ['192.0.2.25']),
  'The addresses of each reverse name.',
  { 'mail.sender.example': ['192.0.2.25'] },
);

const Blocklist = object('One blocklist.', {
  list: domain('The zone of the blocklist.', 'psbl.surriel.com'),
  status: words(
    ['listed', 'not_listed', 'unavailable'],
    'The answer of the blocklist.',
    'not_listed',
  ),
  codes: texts('The return codes.', ['127.0.0.2']),
  meanings: optional(texts('What the codes mean.', ['XBL: an infected or hijacked machine'])),
  removal_url: nullable(uri('Where to ask for removal.', 'https://psbl.org/remove')),
});

/**
 * Schema of the facts about the sending connection. `ip`, `helo`, `source`, `ptr`, `fcrdns` and `spamcop` are
 * omitted if unknown, never null.
 */
export const Connection = object('Facts about the connection. Missing members are unknown.', {
  ip: optional(ip('The sending IP address.')),
  ip_version: optional(words([4, 6], 'The version of that address.')),
  helo: optional(text('The name in HELO or EHLO.', 'mail.sender.example')),
  source: optional(
    words(
      ['smtp', 'xclient', 'received-spf', 'received', 'unknown'],
      'Where `ip` and `helo` come from. `xclient`: a relay in front gives them.',
    ),
  ),
  named_by: optional(
    openWords(
      ['xforward', 'proxy'],
      'How a relay in front names the client, if not by XCLIENT. `proxy`: it gives only `ip`.',
    ),
  ),
  ptr: optional(domains('The reverse names (PTR) of the address.', ['mail.sender.example'])),
  ptr_forward: optional(ForwardAddresses),
  fcrdns: optional(flag('Whether a reverse name resolves back to it.')),
  ptr_generic: optional(flag("Whether it looks like an access provider's reverse name.", false)),
  helo_resolves: optional(flag('Whether the HELO name resolves.')),
  helo_matches_ptr: optional(flag('Whether the HELO name resolves to `ip` or is in `ptr`.')),
  tls: optional(
    object('The encryption of this connection.', {
      status: words(['tls', 'plaintext', 'not_observable'], 'Whether the email came over TLS.'),
      version: nullable(text('The protocol version.', 'TLSv1.3')),
      cipher: nullable(text('The cipher suite.', 'TLS_AES_256_GCM_SHA384')),
    }),
  ),
  spamcop: optional(
    words(
      ['listed', 'not_listed', 'unknown', 'not_applicable'],
      'Whether the address is on the SpamCop blocklist.',
      'not_listed',
    ),
  ),
  dnsbl: optional(list(Blocklist, 'The results of other blocklists for the address.')),
});
export type Connection = Static<typeof Connection>;

const PolicyFile = object('The policy file.', {
  version: nullable(text('Its version.', 'STSv1')),
  mode: nullable(words(['enforce', 'testing', 'none'], 'Its mode.')),
  max_age: nullable(count('Seconds that senders may cache it.', 604_800)),
  mx: texts('The mail servers that it allows.', ['mx.sender.example']),
});

/**
 * Schema of the TLS policies that the From domain publishes for the mail it receives (RFC 8461, RFC 8460).
 */
export const TransportPolicy = object(
  'What the From domain publishes about TLS for incoming mail.',
  {
    domain: nullable(domain('The From domain.')),
    differs_from_envelope: optional(flag("Whether the envelope sender's domain differs.", false)),
    mx: optional(domains('The mail servers (MX) of the domain.', ['mx.sender.example'])),
    mta_sts: optional(
      object('MTA-STS (RFC 8461).', {
        record: nullable(published('The TXT record.', 'v=STSv1; id=20261120')),
        id: nullable(text('The `id=` of the record.', '20261120')),
        policy: maybe(PolicyFile),
        mx_covered: maybe(flag('Whether the policy allows every mail server.')),
        fetched: flag('Whether the policy file was fetched.'),
        error: maybe(text('What went wrong.', 'the URL of the policy returns status 404')),
      }),
    ),
    tls_rpt: optional(
      object('TLS-RPT (RFC 8460).', {
        record: nullable(published('The TXT record.', 'v=TLSRPTv1; rua=mailto:tls@sender.example')),
        rua: list(Type.String({ maxLength: 4096 }), 'Where the reports go.', [
          'mailto:tls@sender.example',
        ]),
        error: maybe(text('What went wrong.', '2 v=TLSRPTv1 records')),
      }),
    ),
  },
);
export type TransportPolicy = Static<typeof TransportPolicy>;

const result = (mechanism: string) => text(`The ${mechanism} result.`, 'pass');

/** Schema of the inbound provider's own verdicts, which are absent if the email came directly by SMTP. */
export const Provider = object("The inbound provider's own results; none for mail over SMTP.", {
  authserv_id: text('The server that wrote the results.', 'mx.cloudflare.net'),
  spf: optional(
    nullable(
      object('Its SPF result.', {
        result: result('SPF'),
        domain: nullable(domain('The domain.')),
        helo_result: nullable(text('The result for the HELO name.', 'none')),
      }),
    ),
  ),
  dkim: optional(
    list(
      object('One signature.', {
        result: result('DKIM'),
        domain: nullable(domain('The signing domain.')),
        selector: nullable(text('The selector.', 's1')),
        b: nullable(text('The beginning of the signature.', 'a1b2c3d4')),
      }),
      'Its DKIM results.',
    ),
  ),
  dmarc: optional(
    nullable(
      object('Its DMARC result.', {
        result: result('DMARC'),
        policy: nullable(text('The policy that it applied.', 'reject')),
      }),
    ),
  ),
  arc: maybe(text('Its ARC result.', 'none')),
  spam_score: nullable(
    Type.Number({
      description: 'Its spam score; the scale is not published.',
      examples: [0],
    }),
  ),
  source: words(
    ['arc-authentication-results', 'authentication-results', 'none'],
    'The header field of the results.',
  ),
  seal_verified: nullable(flag('Whether its ARC seal is valid.')),
  block_headers: texts('Names of the header fields that it added.', ['arc-seal']),
  differs_from_ours: list(
    words(['spf', 'dkim', 'dmarc', 'arc'], 'The mechanism.', 'arc'),
    'Where its result differs from ours.',
    [],
  ),
});
export type Provider = Static<typeof Provider>;
