import type { DkimFact, DmarcFacts, SpfFacts } from '../../../src/analysis/authentication-facts.ts';
import type { ConnectionFacts, Facts } from '../../../src/analysis/facts.ts';
import { known } from '../../../src/analysis/lookup-result.ts';
import type { ContentFacts, HeaderFacts, LinkFacts } from '../../../src/analysis/mail-facts.ts';

/** A part of a value, at any depth: of a `LookupResult` just its `value`. Lists are replaced as a whole. */
export type Part<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: Part<T[K]> }
    : T;

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `base` with `part` laid over it; neither is changed. */
export function overlay<T>(base: T, part: unknown): T {
  if (!isPlain(base) || !isPlain(part)) return part as T;
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(part)) merged[key] = overlay(merged[key], value);
  return merged as T;
}

const IP = '192.0.2.25';
const DOMAIN = 'example.com';
const HELO = 'mail.example.com';
const RECORD = 'v=spf1 ip4:192.0.2.25 -all';
const DMARC_RECORD = 'v=DMARC1; p=reject; rua=mailto:dmarc@example.com';

const connection: ConnectionFacts = {
  ip: IP,
  helo: HELO,
  source: 'smtp',
  tls: { status: 'tls', version: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384' },
  ptr: known([HELO]),
  forward: known({ addresses: { [HELO]: [IP] }, confirmed: true, confirmedNames: [HELO] }),
  heloAddresses: known([IP]),
  spamcop: known('not_listed'),
  blocklists: [],
};

const spf: SpfFacts = {
  report: {
    result: 'pass',
    domain: DOMAIN,
    scope: 'mailfrom',
    aligned: true,
    record: RECORD,
    records: [RECORD],
    lookups: 0,
    void_lookups: 0,
    all: '-',
    tree: [],
    matched_term: 'ip4:192.0.2.25',
    helo_result: 'pass',
    error: null,
  },
  helo: known({ result: 'pass', record: 'v=spf1 a -all' }),
  syntaxFaults: [],
  heaviest: null,
  voidTerms: [],
  voidQueries: 0,
  brokenTerms: [],
  wideTerms: [],
  effectiveAll: '-',
};

const SIGNED = ['from', 'from', 'to', 'subject', 'date', 'message-id', 'mime-version'];

/** A signature of the From domain that passes. */
export const signature: DkimFact = {
  report: {
    domain: DOMAIN,
    selector: 's1',
    result: 'pass',
    reason: null,
    aligned: true,
    strict_aligned: true,
    key_bits: 2048,
    algorithm: 'rsa-sha256',
    canonicalization: 'relaxed/relaxed',
    identity_domain: DOMAIN,
    signed_headers: [...SIGNED, 'content-type', 'list-unsubscribe', 'list-unsubscribe-post'],
    from_oversigned: true,
    timestamp: null,
    expires: null,
    length_limited: false,
    unsigned_tail_bytes: 0,
    body_hash: 'match',
    key: {
      type: 'rsa',
      bits: 2048,
      testing: false,
      revoked: false,
      hash: [],
      services: [],
      record: 'v=DKIM1; k=rsa; p=MIIB',
      record_name: 's1._domainkey.example.com',
      cname: [],
    },
  },
  fault: null,
  ofFromDomain: true,
  lifetimeSeconds: null,
  fromFuture: false,
  expired: false,
  unsignedHeaders: [],
  coversListUnsubscribe: true,
  coversListUnsubscribePost: true,
  keyFaults: [],
};

/** A signature with some of its facts changed. */
export const signed = (part: Part<DkimFact> = {}): DkimFact => overlay(signature, part);

const dmarc: DmarcFacts = {
  report: {
    result: 'pass',
    policy: 'reject',
    alignment: { spf: 'strict', dkim: 'strict' },
    record: DMARC_RECORD,
    record_domain: DOMAIN,
    organizational_domain: DOMAIN,
    organizational_domain_psl: DOMAIN,
    psl_differs: false,
    tree_walk: [{ name: 'example.com', found: true }],
    subdomain_policy: null,
    nonexistent_policy: null,
    effective_policy: 'reject',
    testing: false,
    psd: 'u',
    adkim: 'r',
    aspf: 'r',
    rua: [{ uri: 'mailto:dmarc@example.com', external: false, authorized: null, has_mx: true }],
    ruf: [],
    legacy_tags: [],
    errors: [],
    disposition: 'none',
  },
  anyRecord: true,
  ignoredBecause: null,
  lint: [],
  tags: [
    ['p', 'reject'],
    ['rua', 'mailto:dmarc@example.com'],
  ],
  inherited: false,
  spfAligned: true,
  dkimAligned: true,
  decided: true,
  pslNote: null,
};

const headers: HeaderFacts = {
  report: {
    size_bytes: 8000,
    header_from: {
      domain: DOMAIN,
      organizational_domain: DOMAIN,
      display_name_present: true,
      display_name_has_domain: false,
    },
    envelope_from_domain: DOMAIN,
    envelope_null_sender: false,
    reply_to_domain: null,
    message_id_domain: DOMAIN,
    date: '2026-11-20T12:00:00.000Z',
    date_skew_seconds: -1,
    subject_length: 20,
    recipients: { to_count: 1, cc_count: 0, test_address_in_to: true },
    kind: { value: 'transactional_or_personal', evidence: [] },
    list_unsubscribe: {
      present: false,
      valid: false,
      https: false,
      mailto: false,
      one_click: false,
      dkim_covered: false,
      host: null,
    },
    smtputf8: false,
  },
  from: {
    fault: null,
    oddities: [],
    displayName: { present: true, faults: [] },
    freemail: false,
    noReply: false,
    idn: 'ascii',
  },
  duplicates: [],
  eightBit: { raw: false, fields: [], brokenEncodedWords: false, needlessWords: [] },
  date: { state: 'ok', obsoleteZone: null, skewSeconds: -1, weekdayFault: null },
  messageId: { count: 1, syntaxOk: true, domain: DOMAIN, domainOdd: false, related: true },
  to: {
    present: true,
    undisclosed: false,
    testAddressFound: true,
    sentElsewhere: false,
    forwarded: false,
  },
  subject: {
    state: 'ok',
    length: 20,
    allCapitals: false,
    exclamations: 0,
    falseReply: false,
    url: false,
    edgeSpaces: false,
  },
  replyTo: { state: 'absent', freemail: false, sameOrganization: true },
  classification: { class: 'transactional', confidence: 0.8, evidence: [] },
  impersonation: [],
  bulk: {
    isBulk: false,
    automated: false,
    hasAutoSubmitted: false,
    hasListIdOrFeedbackId: false,
    oddPrecedence: false,
  },
  leaks: [],
  listUnsubscribe: {
    present: false,
    faults: [],
    https: false,
    mailto: false,
    post: false,
    postFault: null,
  },
  lines: {
    longestBytes: 78,
    longestHeaderBytes: 78,
    longHeaderLines: false,
    bareNewlines: false,
    nul: false,
    longestIn: 'text/html',
  },
};

const content: ContentFacts = {
  content: {
    has_text: true,
    has_html: true,
    html_bytes: 6000,
    text_words: 200,
    html_words: 200,
    text_html_similarity: 1,
    images: 1,
    images_without_alt: 0,
    tracking_pixels: 0,
    data_uri_images: 0,
    links: 2,
    hidden_runs: 0,
    forms: 0,
    scripts: 0,
    external_css: 0,
    unsubscribe_link_found: true,
    placeholders: 0,
    placeholder_syntaxes: [],
    phrase_ids: [],
  },
  mime: {
    structure: 'multipart/alternative(text/plain, text/html)',
    parts: [
      {
        type: 'text/plain',
        charset: 'utf-8',
        encoding: 'quoted-printable',
        size_bytes: 1500,
        disposition: null,
      },
      {
        type: 'text/html',
        charset: 'utf-8',
        encoding: 'quoted-printable',
        size_bytes: 6000,
        disposition: null,
      },
    ],
    depth: 1,
    defects: [],
  },
  attachments: [],
  structureFaults: [],
  charsetFaults: [],
  attachmentFaults: [],
  textAlternative: 'both',
  textState: 'ok',
  preheader: false,
  hiddenPreheader: false,
  htmlFaults: { fail: [], lint: [] },
  phrasePatterns: [],
  wording: [],
  contentImages: 1,
  cidMissing: 0,
  logoImages: 0,
  pixelHosts: [],
  active: { hard: [], soft: [] },
};

/** A link's host as gathering leaves it: not yet asked of anybody. */
export const linkDomain: LinkFacts['report']['domains'][number] = {
  host: 'www.example.com',
  organizational_domain: DOMAIN,
  count: 2,
  schemes: ['https'],
  roles: ['link'],
  aligned_with_from: true,
  shortener: false,
  ip_literal: false,
  idn: false,
  non_default_port: false,
  reputation: 'not_checked',
  threats: [],
  expires_at: null,
};

const links: LinkFacts = {
  report: {
    total: 2,
    distinct_domains: 1,
    non_https: 0,
    text_mismatches: [],
    domains: [linkDomain],
  },
  truncated: false,
  mismatches: [],
  shorteners: [],
  redirectors: [],
  ipHosts: [],
  userinfoHosts: [],
  oddPorts: [],
  httpHosts: [],
  homographs: { suspicious: [], idn: [] },
  organizationalDomains: 1,
  underFromDomain: true,
  malformed: [],
};

/** A mail with which nothing is wrong, by direct SMTP: 100 points. */
const perfect: Facts = {
  testId: 'abcdefgh2345',
  receivedAt: '2026-11-20T12:00:01.000Z',
  expiresAt: '2026-11-21T12:00:01.000Z',
  sizeBytes: 8000,
  names: {
    fromDomain: DOMAIN,
    fromOrganizationalDomain: DOMAIN,
    envelopeDomain: DOMAIN,
    nullSender: false,
    helo: HELO,
    ip: IP,
    fromDomainExists: known(true),
    fromMx: known({ mx: ['mx.example.com'], nullMx: false, hasAddress: true }),
    envelopeMx: known({ mx: ['mx.example.com'], nullMx: false, hasAddress: true }),
    mxHosts: { 'mx.example.com': known({ addresses: ['192.0.2.26'], alias: null }) },
  },
  connection,
  spf: known(spf),
  dkim: known({ signatures: [signature], total: 1 }),
  dmarc: known(dmarc),
  arc: known({ report: { result: 'none', sets: 0 }, sealer: null, fault: null }),
  bimi: known({
    report: { result: 'pass', record: 'v=BIMI1; l=https://example.com/l.svg', dmarc_ready: true },
    recordFault: null,
    declined: false,
    badElement: null,
    logo: known('valid'),
    certificate: known('valid'),
    certificateFault: null,
    organizationalDomainReady: true,
  }),
  transport: {
    report: { domain: DOMAIN, differs_from_envelope: false, mx: ['mx.example.com'] },
    mtaSts: known({ state: 'enforce', fault: null }),
    tlsRpt: known({ state: 'valid', fault: null }),
  },
  headers: known(headers),
  content: known(content),
  links: known(links),
  provider: null,
  webRisk: {
    configured: true,
    checkedAt: '2026-11-20T12:00:02.000Z',
    hosts: { 'www.example.com': { threats: [], expiresAt: null } },
  },
  partialErrors: [],
  remarks: [],
};

/** The facts of a perfect mail, with a part of them changed. Parts of one call go over each other. */
export const facts = (...parts: Part<Facts>[]): Facts =>
  parts.reduce<Facts>((all, part) => overlay(all, part), perfect);

/** Bulk mail with everything that is asked of it. */
export const bulkMail: Part<Facts> = {
  headers: {
    value: {
      report: { kind: { value: 'bulk', evidence: ['List-Id'] } },
      classification: { class: 'marketing', confidence: 0.8, evidence: ['List-Id header'] },
      bulk: { isBulk: true, hasListIdOrFeedbackId: true },
      listUnsubscribe: { present: true, https: true, mailto: true, post: true },
    },
  },
  content: { value: { preheader: true } },
};

/** What an inbound provider said, in agreement with us. */
export const provider: NonNullable<Facts['provider']> = {
  name: 'cloudflare',
  authserv_id: 'mx.cloudflare.net',
  spam_score: null,
  source: 'arc-authentication-results',
  seal_verified: true,
  block_headers: ['Received'],
  differs_from_ours: [],
};
