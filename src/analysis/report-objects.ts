/**
 * Builds the parts of a report that show evidence (`connection`, `authentication`, `links` and `message`)
 * from the facts.
 */

import { meaningsOf } from '../domain/dnsbls.ts';
import type { Connection } from '../domain/report/connection.ts';
import type { Links } from '../domain/report/links.ts';
import type { Message } from '../domain/report/message.ts';
import type { Report } from '../domain/report/report.ts';
import { heloMatches } from './connection/helo-and-tls-checks.ts';
import type { Facts, HeaderFacts } from './facts.ts';
import { entryOf, ifKnown, type LookupResult } from './lookup-result.ts';
import { isGenericName } from './names/generic-name.ts';
import { toRoute } from './route/steps.ts';
import { coversOneClick } from './unsubscribe/list-unsubscribe-checks.ts';

/** Returns an object with one member, or an empty object if the value is unknown. */
const member = <K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };

/** Returns each blocklist once, with the meanings of the codes that it returned, where they are known. */
const withMeanings = (all: NonNullable<Connection['dnsbl']>): NonNullable<Connection['dnsbl']> =>
  [...new Map(all.map((one) => [one.list, one])).values()].map((one) => {
    const meanings = one.codes.flatMap((code) => meaningsOf(one.list, code)).map((is) => is.means);
    return meanings.length > 0 ? { ...one, meanings } : one;
  });

/** Builds `report.connection`. Unknown values are left out instead of being null. */
export function toConnection(facts: Facts): Connection {
  const { ip, helo, source, namedBy, tls, ptr, forward, spamcop, blocklists } = facts.connection;
  const names = ifKnown(ptr);
  const confirmed = ifKnown(forward);
  const resolves = ifKnown(facts.connection.heloAddresses);
  return {
    ...(ip !== null && { ip, ip_version: ip.includes(':') ? 6 : 4 }),
    ...(helo && { helo }),
    source,
    ...member('named_by', namedBy),
    ...member('ptr', names && [...names]),
    ...(confirmed && {
      ptr_forward: Object.fromEntries(
        Object.entries(confirmed.addresses).map(([name, all]) => [name, [...all]]),
      ),
      fcrdns: confirmed.confirmed,
    }),
    ...(names &&
      names.length > 0 && { ptr_generic: names.every((name) => isGenericName(name, ip)) }),
    ...member('helo_resolves', resolves === undefined ? undefined : (resolves?.length ?? 0) > 0),
    ...(helo !== null && member('helo_matches_ptr', ifKnown(heloMatches(facts)))),
    tls,
    ...(ip !== null && { spamcop: ifKnown(spamcop) ?? ('unknown' as const) }),
    dnsbl: withMeanings([...blocklists, ...(facts.connection.dnsbls ?? [])]),
  };
}

/** Builds `report.authentication`. An unknown result becomes `temperror`, never a "no". */
export function toAuthentication(facts: Facts) {
  const { spf, dkim, uncheckedSignatures = [], dmarc, arc, bimi, names } = facts;
  const error = (lookup: LookupResult<unknown>) =>
    lookup.status === 'unknown' ? lookup.error : null;
  const temperror = 'temperror' as const;
  return {
    spf: ifKnown(spf)?.report ?? {
      result: temperror,
      domain: names.envelopeDomain,
      scope: names.nullSender ? ('helo' as const) : ('mailfrom' as const),
      aligned: false,
      error: error(spf),
    },
    dkim: [
      ...(ifKnown(dkim)?.signatures.map(({ report }) => report) ?? []),
      ...uncheckedSignatures,
    ],
    dmarc: ifKnown(dmarc)?.report ?? {
      result: temperror,
      policy: null,
      alignment: { spf: 'none' as const, dkim: 'none' as const },
      errors: [error(dmarc) ?? ''],
    },
    arc: ifKnown(arc)?.report ?? { result: temperror, sets: 0 },
    bimi: ifKnown(bimi)?.report ?? { result: temperror },
  } satisfies Report['authentication'];
}

const NO_LINKS = {
  total: 0,
  distinct_domains: 0,
  non_https: 0,
  text_mismatches: [],
  domains: [],
};

/**
 * Builds `report.links`, with the web-risk service's answer about each host. If the links were not read, the
 * object is empty and has the status `not_checked`.
 */
export function toLinks({ links, webRisk }: Facts): Links {
  const report = ifKnown(links)?.report ?? NO_LINKS;
  if (!webRisk.configured || links.status === 'unknown') {
    const domains = report.domains.map((domain) => ({
      ...domain,
      reputation: 'not_checked' as const,
    }));
    return { status: 'not_checked', provider: null, checked_at: null, ...report, domains };
  }

  const domains = report.domains.map((domain) => {
    const answer = entryOf(webRisk.hosts, domain.host);
    if (answer === undefined) return { ...domain, reputation: 'not_checked' as const };
    if (answer === null) return { ...domain, reputation: 'error' as const };
    const reputation = answer.threats.length > 0 ? ('listed' as const) : ('clean' as const);
    return { ...domain, reputation, threats: [...answer.threats], expires_at: answer.expiresAt };
  });
  // The web-risk service is not asked about IP addresses.
  const open = domains.filter(
    ({ ip_literal, reputation: is }) => !ip_literal && is !== 'clean' && is !== 'listed',
  );
  return {
    status: open.length === 0 ? 'checked' : 'partly_checked',
    provider: 'google_web_risk',
    checked_at: webRisk.checkedAt,
    ...report,
    domains,
  };
}

/**
 * Returns the members of `report.message` that come from the header fields, which are absent if the email
 * could not be read.
 */
const ofHeaders = (headers: HeaderFacts) => ({
  reply_to_domain: headers.replyTo.domain,
  message_id_domain: headers.messageId.domain,
  date: headers.date.instant,
  date_skew_seconds: headers.date.skewSeconds,
  subject_length: headers.subject.state === 'missing' ? null : headers.subject.length,
  recipients: {
    to_count: headers.to.toCount,
    cc_count: headers.to.ccCount,
    test_address_in_to: headers.to.testAddressInTo,
  },
  kind: headers.bulk.isBulk
    ? { value: 'bulk' as const, evidence: [...headers.classification.evidence] }
    : { value: 'transactional_or_personal' as const, evidence: [] },
  list_id: headers.bulk.listId,
  feedback_id_present: headers.bulk.hasFeedbackId,
  auto_submitted: headers.bulk.autoSubmitted,
  precedence: headers.bulk.precedence,
  mailer: headers.mailer,
  received_hops: headers.hops,
  // The check `from_header` judges several From fields, but the report also lists them as duplicates.
  headers_duplicated: [...(headers.from.count > 1 ? ['From'] : []), ...headers.duplicates],
  headers_missing: [...headers.missing],
  longest_line_bytes: headers.lines.longestBytes,
  has_8bit_headers: headers.eightBit.found,
  smtputf8: headers.eightBit.smtputf8,
});

/**
 * Builds `report.message`. If the email could not be read, it contains only facts about the envelope and the
 * size.
 */
export function toMessage(facts: Facts): Omit<Message, 'compliance'> {
  const { names } = facts;
  const parts = ifKnown(facts.content);
  const headers = ifKnown(facts.headers);
  const displayName = headers?.from.displayName;
  const list = headers?.listUnsubscribe;
  return {
    size_bytes: facts.sizeBytes,
    header_from: {
      domain: names.fromDomain,
      organizational_domain: names.fromOrganizationalDomain,
      display_name_present: displayName?.present ?? false,
      display_name_has_domain: displayName?.hasDomain ?? false,
      ...(names.nameServers.length > 0 && { name_servers: [...names.nameServers] }),
    },
    envelope_from_domain: names.nullSender ? null : names.envelopeDomain || null,
    envelope_null_sender: names.nullSender,
    list_unsubscribe: {
      present: list?.present ?? false,
      valid: list?.present === true && list.faults.length === 0,
      https: list?.https ?? false,
      mailto: list?.mailto ?? false,
      one_click: list?.https === true && list.post,
      dkim_covered: list?.present === true && (ifKnown(coversOneClick(facts)) ?? false),
      host: list?.host ?? null,
    },
    ...(headers && ofHeaders(headers)),
    ...member('way', toRoute(facts)),
    ...(parts && {
      mime: parts.mime,
      content: parts.content,
      attachments: [...parts.attachments],
    }),
  };
}
