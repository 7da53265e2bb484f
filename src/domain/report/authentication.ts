/**
 * Declares the schemas of a report's facts about SPF, DKIM, DMARC and ARC, and of the member
 * `authentication`, which contains them and BIMI.
 */

import { type Static, Type } from '@sinclair/typebox';
import { Bimi } from './logo.ts';
import {
  count,
  dateTime,
  domain,
  flag,
  list,
  maybe,
  nullable,
  object,
  optional,
  published,
  text,
  texts,
  wholeNumber,
  words,
} from './shapes.ts';

/** SPF results (RFC 8601 §2.7.2). */
export const SPF_RESULTS = [
  'none',
  'neutral',
  'pass',
  'fail',
  'softfail',
  'temperror',
  'permerror',
] as const;
export type SpfResult = (typeof SPF_RESULTS)[number];

const SpfTerm = object('One term.', {
  // The term is not expanded, because a macro could contain a local part.
  term: published('The term as published.', 'include:_spf.provider.example'),
  lookups: count('DNS lookups that the term and its includes need.', 2),
  depth: count('Includes that lead to the term.', 0),
});

/** Schema of the SPF result for the sending IP address and the envelope domain (RFC 7208). */
export const Spf = object('SPF (RFC 7208) for the sending IP address.', {
  result: words(SPF_RESULTS, 'The SPF result.', 'pass'),
  domain: domain('The domain whose record was evaluated.'),
  scope: words(
    ['mailfrom', 'helo'],
    'The name that was checked: `helo` when the envelope sender is empty.',
  ),
  aligned: flag('Whether it is aligned with the From domain.'),
  record: maybe(published('The SPF record.', 'v=spf1 ip4:192.0.2.25 -all')),
  records: optional(
    list(Type.String({ maxLength: 4096 }), 'Every SPF record at the domain.', [
      'v=spf1 ip4:192.0.2.25 -all',
    ]),
  ),
  lookups: optional(count('Terms that query the DNS. The limit is 10.', 3)),
  void_lookups: optional(count('Queries without an answer. The limit is 2.', 0)),
  all: maybe(words(['+', '-', '~', '?'], 'The qualifier of `all`.')),
  tree: optional(list(SpfTerm, 'The terms of the record and its includes, in order.')),
  matched_term: maybe(published('The term that decided the result.', 'ip4:192.0.2.25')),
  helo_result: optional(words(SPF_RESULTS, 'The SPF result for the HELO name.')),
  error: maybe(text('What is wrong with the record.', 'more than 10 lookups')),
});
export type Spf = Static<typeof Spf>;

/** DKIM results (RFC 8601 §2.7.1). */
const DKIM_RESULTS = ['pass', 'fail', 'policy', 'neutral', 'temperror', 'permerror'] as const;
export type DkimResult = (typeof DKIM_RESULTS)[number];

/** Reasons for a signature's result. */
const DKIM_REASONS = [
  'body_hash_mismatch',
  'bad_signature',
  'expired',
  'no_key',
  'key_revoked',
  'key_invalid',
  'key_too_short',
  'weak_algorithm',
  'identity_not_under_domain',
  'malformed',
  'not_evaluated',
  'dns',
] as const;
export type DkimReason = (typeof DKIM_REASONS)[number];

const DkimKey = object('The public key.', {
  type: nullable(text('Key type (`k=`).', 'rsa')),
  bits: nullable(count('Size in bits.', 2048)),
  testing: flag('Whether the key is marked as a test (`t=y`).', false),
  revoked: flag('Whether the key is revoked (an empty `p=`).', false),
  hash: texts('Hash algorithms that the key allows (`h=`).', ['sha256']),
  services: texts('Services that the key is for (`s=`).', ['*']),
  record: nullable(published('The TXT record.', 'v=DKIM1; k=rsa; p=MIIB')),
  record_name: text('The name of the TXT record.', 's1._domainkey.sender.example'),
  cname: texts('Names of the CNAME records that lead to it.', ['s1.provider.example']),
});

/** Schema of one DKIM signature (RFC 6376). It contains only the domain of `i=`, never its local part. */
export const DkimSignature = object('One signature.', {
  domain: domain('The signing domain (`d=`).'),
  selector: text('The selector (`s=`).', 's1', { maxLength: 255 }),
  result: words(DKIM_RESULTS, 'The DKIM result.'),
  reason: maybe(words(DKIM_REASONS, 'Why the result is not `pass`.', 'expired')),
  aligned: flag('Whether `d=` is aligned with the From domain.'),
  strict_aligned: optional(flag('Whether `d=` is the From domain itself.')),
  key_bits: nullable(count('Size of the public key in bits.', 2048)),
  algorithm: maybe(text('Algorithm (`a=`), or `unknown`.', 'rsa-sha256')),
  canonicalization: maybe(text('Canonicalization (`c=`), or `unknown`.', 'relaxed/relaxed')),
  identity_domain: maybe(domain('The domain of `i=`.')),
  signed_headers: optional(
    texts('The signed header fields (`h=`). `other`: a field that this service does not know.', [
      'from',
      'to',
      'subject',
    ]),
  ),
  from_oversigned: optional(flag('Whether adding a second From breaks the signature.')),
  timestamp: maybe(dateTime('When it was signed (`t=`).', '2026-11-20T10:00:58.000Z')),
  expires: maybe(dateTime('When it expires (`x=`).', '2026-11-27T10:00:58.000Z')),
  length_limited: optional(flag('Whether `l=` leaves a tail unsigned.', false)),
  unsigned_tail_bytes: optional(count('Bytes in that tail.', 0)),
  body_hash: maybe(words(['match', 'mismatch'], 'Whether the body is unchanged since signing.')),
  key: maybe(DkimKey),
});
export type DkimSignature = Static<typeof DkimSignature>;

const alignment = (mechanism: string) =>
  words(['strict', 'relaxed', 'none'], `How the domain that passes ${mechanism} is aligned.`);

/** DMARC policies, from the weakest to the strongest. */
export const POLICIES = ['none', 'quarantine', 'reject'] as const;
export type Policy = (typeof POLICIES)[number];

const policy = (description: string) => nullable(words(POLICIES, description, 'reject'));

const ReportAddress = object('One address.', {
  uri: published('The address as published.', 'mailto:dmarc@sender.example'),
  external: flag('Whether it belongs to another organization.', false),
  authorized: nullable(flag('Whether that domain agreed to receive the reports.')),
  has_mx: nullable(flag('Whether that domain accepts mail.')),
});

/** Schema of the DMARC result (RFC 9989). */
export const Dmarc = object('DMARC (RFC 9989).', {
  result: words(['none', 'pass', 'fail', 'temperror', 'permerror'], 'The DMARC result.', 'pass'),
  policy: policy('The published policy (`p=`).'),
  alignment: object('How SPF and DKIM are aligned with the From domain.', {
    spf: alignment('SPF'),
    dkim: alignment('DKIM'),
  }),
  record: maybe(published('The DMARC record.', 'v=DMARC1; p=reject')),
  record_domain: maybe(domain('The domain that publishes the record.')),
  organizational_domain: maybe(domain('The organizational domain (tree walk).')),
  organizational_domain_psl: maybe(
    domain('The organizational domain by the Public Suffix List, which many receivers still use.'),
  ),
  psl_differs: optional(
    flag('Whether the Public Suffix List leads to a different alignment.', false),
  ),
  tree_walk: optional(
    list(
      object('One name.', {
        name: text('The name, without `_dmarc.`.', 'sender.example'),
        found: flag('Whether a record was found there.'),
      }),
      'The names that were queried.',
      undefined,
      24,
    ),
  ),
  subdomain_policy: optional(policy('The policy for subdomains (`sp=`).')),
  nonexistent_policy: optional(policy('The policy for names that do not exist (`np=`).')),
  effective_policy: optional(
    policy('The policy that receivers apply, after `sp=`, `np=` and `t=`.'),
  ),
  testing: optional(flag('Whether `t=y` asks receivers to be lenient.', false)),
  psd: maybe(words(['y', 'n', 'u'], 'Whether the domain is a public suffix (`psd=`).', 'u')),
  adkim: optional(words(['r', 's'], 'DKIM alignment mode (`adkim=`).')),
  aspf: optional(words(['r', 's'], 'SPF alignment mode (`aspf=`).')),
  rua: optional(list(ReportAddress, 'Where aggregate reports go (`rua=`).')),
  ruf: optional(
    list(Type.String({ maxLength: 4096 }), 'Where failure reports go (`ruf=`).', [
      'mailto:dmarc@sender.example',
    ]),
  ),
  legacy_tags: optional(texts('Tags of the record that no longer count.', ['pct'])),
  errors: optional(texts('What is wrong with the record.', ['p=rejekt'])),
  disposition: optional(words(POLICIES, 'What a receiver does with this email under the policy.')),
});
export type Dmarc = Static<typeof Dmarc>;

const reported = (mechanism: string) => nullable(text(`The ${mechanism} result.`, 'pass'));

const ArcSet = object('One set.', {
  i: wholeNumber('Its number, from 1.', 1),
  domain: domain('The sealing domain.', 'forwarder.example'),
  selector: text('The selector.', 'arc1'),
  cv: nullable(text('The validation status (`cv=`).', 'none')),
  result: nullable(text('The result; only in the newest set.', 'pass')),
  reported: object('The results that the set reports.', {
    spf: reported('SPF'),
    dkim: reported('DKIM'),
    dmarc: reported('DMARC'),
  }),
});

/** Schema of the sender's own ARC chain (RFC 8617), without the inbound provider's seal. */
export const Arc = object("The sender's own ARC chain (RFC 8617).", {
  result: words(['none', 'pass', 'fail', 'temperror'], 'The ARC result.'),
  sets: count('Sets in the chain.', 0),
  provider_set_excluded: optional(flag("Whether the provider's own set was left out.", false)),
  chain: optional(list(ArcSet, 'The sets.', undefined, 50)),
});
export type Arc = Static<typeof Arc>;

export const Authentication = object('SPF, DKIM, DMARC, ARC and BIMI, evaluated by this service.', {
  spf: Spf,
  dkim: list(
    DkimSignature,
    'Every DKIM signature (RFC 6376), from the top; empty when the email is not signed. `reason: not_evaluated`: it was not checked.',
    undefined,
    1000,
  ),
  dmarc: Dmarc,
  arc: Arc,
  bimi: Bimi,
});
