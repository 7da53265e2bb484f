import { type Static, Type } from '@sinclair/typebox';
import { Count, Domain, list, nullable, Published, words } from './shapes.ts';

const o = Type.Optional;

/**
 * Facts about the sending connection. `ip, helo, source, ptr, fcrdns, spamcop` are left out when
 * they are not known, never null.
 */
export const Connection = Type.Object({
  ip: o(Type.String()),
  ip_version: o(Type.Union([Type.Literal(4), Type.Literal(6)])),
  helo: o(Type.String()),
  /** Where `ip` and `helo` come from. */
  source: o(words('smtp', 'xclient', 'received-spf', 'received', 'unknown')),
  ptr: o(list(Domain)),
  ptr_forward: o(Type.Record(Type.String(), list(Type.String()))),
  fcrdns: o(Type.Boolean()),
  ptr_generic: o(Type.Boolean()),
  helo_resolves: o(Type.Boolean()),
  helo_matches_ptr: o(Type.Boolean()),
  tls: o(
    Type.Object({
      status: words('tls', 'plaintext', 'not_observable'),
      version: nullable(Type.String()),
      cipher: nullable(Type.String()),
    }),
  ),
  spamcop: o(words('listed', 'not_listed', 'unknown', 'not_applicable')),
  dnsbl: o(
    list(
      Type.Object({
        list: Domain,
        status: words('listed', 'not_listed', 'unavailable'),
        codes: list(Type.String()),
        removal_url: nullable(Type.String()),
      }),
    ),
  ),
});
export type Connection = Static<typeof Connection>;

/** What the From domain publishes about TLS for mail it receives (RFC 8461, RFC 8460). */
export const TransportPolicy = Type.Object({
  domain: nullable(Domain),
  differs_from_envelope: o(Type.Boolean()),
  mx: o(list(Domain)),
  mta_sts: o(
    Type.Object({
      record: nullable(Published),
      id: nullable(Type.String()),
      policy: o(
        nullable(
          Type.Object({
            version: nullable(Type.String()),
            mode: nullable(words('enforce', 'testing', 'none')),
            max_age: nullable(Count),
            mx: list(Type.String()),
          }),
        ),
      ),
      mx_covered: o(nullable(Type.Boolean())),
      fetched: Type.Boolean(),
      error: o(nullable(Type.String())),
    }),
  ),
  tls_rpt: o(
    Type.Object({
      record: nullable(Published),
      rua: list(Published),
      error: o(nullable(Type.String())),
    }),
  ),
});
export type TransportPolicy = Static<typeof TransportPolicy>;

/** The inbound provider's own verdicts; absent when the mail came by direct SMTP. */
export const Cloudflare = Type.Object({
  authserv_id: Type.String(),
  spf: o(
    nullable(
      Type.Object({
        result: Type.String(),
        domain: nullable(Domain),
        helo_result: nullable(Type.String()),
      }),
    ),
  ),
  dkim: o(
    list(
      Type.Object({
        result: Type.String(),
        domain: nullable(Domain),
        selector: nullable(Type.String()),
        b: nullable(Type.String()),
      }),
    ),
  ),
  dmarc: o(nullable(Type.Object({ result: Type.String(), policy: nullable(Type.String()) }))),
  arc: o(nullable(Type.String())),
  spam_score: nullable(Type.Number()),
  source: words('arc-authentication-results', 'authentication-results', 'none'),
  seal_verified: nullable(Type.Boolean()),
  block_headers: list(Type.String()),
  differs_from_ours: list(words('spf', 'dkim', 'dmarc', 'arc')),
});
export type Cloudflare = Static<typeof Cloudflare>;
