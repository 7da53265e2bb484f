import { type Static, Type } from '@sinclair/typebox';
import { Count, Domain, list, nullable, Published, words } from './shapes.ts';

const o = Type.Optional;

/** RFC 8601 §2.7.2: the words for an SPF result. */
export const SpfResult = words(
  'none',
  'neutral',
  'pass',
  'fail',
  'softfail',
  'temperror',
  'permerror',
);
export type SpfResult = Static<typeof SpfResult>;

/** What SPF says of the sending IP for the envelope domain (RFC 7208). */
export const Spf = Type.Object({
  result: SpfResult,
  domain: Domain,
  /** `helo` for the null sender (RFC 7208 §2.4). */
  scope: words('mailfrom', 'helo'),
  aligned: Type.Boolean(),
  record: o(nullable(Published)),
  records: o(list(Published)),
  lookups: o(Count),
  void_lookups: o(Count),
  /** The qualifier of the `all` term that ends the record. */
  all: o(nullable(words('+', '-', '~', '?'))),
  /** Terms as published, unexpanded: a macro could hold a local part. */
  tree: o(list(Type.Object({ term: Published, lookups: Count, depth: Count }))),
  matched_term: o(nullable(Published)),
  helo_result: o(SpfResult),
  error: o(nullable(Type.String())),
});
export type Spf = Static<typeof Spf>;

/** RFC 8601 §2.7.1: the words for a DKIM result. */
export const DkimResult = words('pass', 'fail', 'policy', 'neutral', 'temperror', 'permerror');
export type DkimResult = Static<typeof DkimResult>;

/** Why a signature has its result. */
export const DkimReason = words(
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
);
export type DkimReason = Static<typeof DkimReason>;

/** One DKIM signature (RFC 6376), by domain only: never the local part of `i=`. */
export const DkimSignature = Type.Object({
  domain: Domain,
  selector: Type.String({ maxLength: 255 }),
  result: DkimResult,
  reason: o(nullable(DkimReason)),
  aligned: Type.Boolean(),
  strict_aligned: o(Type.Boolean()),
  key_bits: nullable(Type.Integer({ minimum: 0 })),
  algorithm: o(nullable(Type.String())),
  canonicalization: o(nullable(Type.String())),
  identity_domain: o(nullable(Domain)),
  signed_headers: o(list(Type.String())),
  from_oversigned: o(Type.Boolean()),
  timestamp: o(nullable(Type.String())),
  expires: o(nullable(Type.String())),
  length_limited: o(Type.Boolean()),
  unsigned_tail_bytes: o(Count),
  body_hash: o(nullable(words('match', 'mismatch'))),
  key: o(
    nullable(
      Type.Object({
        type: nullable(Type.String()),
        bits: nullable(Count),
        testing: Type.Boolean(),
        revoked: Type.Boolean(),
        hash: list(Type.String()),
        services: list(Type.String()),
        record: nullable(Published),
        record_name: Type.String(),
        cname: list(Type.String()),
      }),
    ),
  ),
});
export type DkimSignature = Static<typeof DkimSignature>;

const Alignment = words('strict', 'relaxed', 'none');
export const Policy = words('none', 'quarantine', 'reject');
export type Policy = Static<typeof Policy>;

/** DMARC by RFC 9989. */
export const Dmarc = Type.Object({
  result: words('none', 'pass', 'fail', 'temperror', 'permerror'),
  /** `null` when no record applies. */
  policy: nullable(Policy),
  alignment: Type.Object({ spf: Alignment, dkim: Alignment }),
  record: o(nullable(Published)),
  record_domain: o(nullable(Domain)),
  organizational_domain: o(nullable(Domain)),
  /** By the Public Suffix List, as many receivers still do it. */
  organizational_domain_psl: o(nullable(Domain)),
  psl_differs: o(Type.Boolean()),
  tree_walk: o(list(Type.Object({ name: Type.String(), found: Type.Boolean() }), 24)),
  subdomain_policy: o(nullable(Policy)),
  nonexistent_policy: o(nullable(Policy)),
  /** What a receiver applies, after `sp`, `np` and `t`. */
  effective_policy: o(nullable(Policy)),
  testing: o(Type.Boolean()),
  psd: o(nullable(words('y', 'n', 'u'))),
  adkim: o(words('r', 's')),
  aspf: o(words('r', 's')),
  rua: o(
    list(
      Type.Object({
        uri: Published,
        external: Type.Boolean(),
        authorized: nullable(Type.Boolean()),
        has_mx: nullable(Type.Boolean()),
      }),
    ),
  ),
  ruf: o(list(Published)),
  legacy_tags: o(list(Type.String())),
  errors: o(list(Type.String())),
  disposition: o(words('none', 'quarantine', 'reject')),
});
export type Dmarc = Static<typeof Dmarc>;

/** The sender's own ARC chain (RFC 8617), without the inbound provider's seal. */
export const Arc = Type.Object({
  result: words('none', 'pass', 'fail', 'temperror'),
  sets: Count,
  provider_set_excluded: o(Type.Boolean()),
  chain: o(
    list(
      Type.Object({
        i: Type.Integer(),
        domain: Domain,
        selector: Type.String(),
        cv: nullable(Type.String()),
        result: nullable(Type.String()),
        reported: Type.Object({
          spf: nullable(Type.String()),
          dkim: nullable(Type.String()),
          dmarc: nullable(Type.String()),
        }),
      }),
      50,
    ),
  ),
});
export type Arc = Static<typeof Arc>;

/** The brand's logo record and what it points at. */
export const Bimi = Type.Object({
  result: words('pass', 'none', 'declined', 'fail', 'skipped', 'temperror'),
  selector: o(Type.String()),
  domain: o(nullable(Domain)),
  record: o(nullable(Published)),
  logo_url: o(nullable(Type.String())),
  logo: o(
    nullable(
      Type.Object({
        checked: Type.Boolean(),
        size_bytes: nullable(Count),
        base_profile: nullable(Type.String()),
        version: nullable(Type.String()),
        square: nullable(Type.Boolean()),
        title_present: nullable(Type.Boolean()),
        errors: list(Type.String()),
      }),
    ),
  ),
  certificate: o(
    nullable(
      Type.Object({
        checked: Type.Boolean(),
        type: nullable(words('vmc', 'cmc')),
        issuer: nullable(Type.String()),
        subject_names: list(Type.String()),
        not_after: nullable(Type.String()),
        valid: nullable(Type.Boolean()),
        logo_matches: nullable(Type.Boolean()),
      }),
    ),
  ),
  dmarc_ready: o(Type.Boolean()),
});
export type Bimi = Static<typeof Bimi>;

export const Authentication = Type.Object({
  spf: Spf,
  /** One entry a signature; empty when the mail is unsigned. */
  dkim: list(DkimSignature, 20),
  dmarc: Dmarc,
  arc: Arc,
  bimi: Bimi,
});
