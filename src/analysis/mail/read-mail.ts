/**
 * Reads a complete email and collects every fact that it shows without lookups, and later completes these
 * facts with the results of authentication.
 */

import { classify } from '../classification/classify.ts';
import type { ContentFacts, HeaderFacts } from '../facts.ts';
import { isRelated } from '../headers/fields.ts';
import { PASSWORD_FIELD } from '../html/active.ts';
import { readSigns } from '../impersonation/signs.ts';
import type { LinkFacts } from '../links/facts.ts';
import { isUnder, sameOrganization } from '../names/domain-names.ts';
import type { RouteFacts } from '../route/facts.ts';
import { readRoute } from '../route/received.ts';
import { REPLY_OR_FORWARD } from '../syntax/reply-prefixes.ts';
import { readContent } from './content-facts.ts';
import { readHeaderFacts } from './header-facts.ts';
import { type GuardResult, guardInput } from './input-guard.ts';
import { type HeaderScan, type MailHead, type ReadContext, readMailHead } from './scan-headers.ts';

/**
 * The facts that an email shows without lookups, as plain data that may leave the worker thread. They contain
 * no local part, subject, body text, display name, file name, URL path or query.
 */
export interface MailReading extends HeaderScan {
  readonly guard: GuardResult;
  /** Header facts, which `completeHeaders` completes after authentication. */
  readonly headers: HeaderFacts;
  readonly content: ContentFacts;
  /** Link facts, which `completeLinks` completes after authentication. */
  readonly links: LinkFacts;
  readonly route: RouteFacts;
}

/**
 * Reads one email. Pure, linear in its size, and never throws. It runs in a worker thread that has access
 * only to the bytes.
 */
export const readMail = (
  bytes: Uint8Array,
  context: ReadContext,
  head: MailHead = readMailHead(bytes),
  guard: GuardResult = guardInput(bytes),
): MailReading => {
  const { block, scan } = head;
  const { facts, signs, subject, displayName, isOfHost, answeredDomains } = readHeaderFacts(
    head,
    guard,
    context,
  );
  const { content, links, longestIn, shown, own, isOfMailbox, linkNames, shape } = readContent(
    bytes,
    block,
    {
      subject,
      fromDomain: scan.headerFrom.domain,
    },
  );
  const { lines, bulk, replyTo } = facts;
  // A reply or a forwarded email has the subject of the email that it quotes.
  const ownSubject = own !== shown && REPLY_OR_FORWARD.test(subject) ? '' : subject;
  const {
    classification,
    bulk: judged,
    isLetter,
    passesOn,
  } = classify(signs, ownSubject, own, shape);
  const isBulk = judged === 'bulk';
  // A mailing list adds its own name to that of the member who wrote the email, and sends replies to them.
  const isList = classification.class === 'discussion_list';
  const impersonation = readSigns({
    fromDomain: scan.headerFrom.domain,
    displayName: isList ? '' : displayName,
    isOfHost,
    subject,
    text: shown,
    answeredDomains,
    replyDomain: replyTo.state === 'ok' && !isList ? replyTo.domain : null,
    recipientDomain: context.testAddress.domain,
    linkHosts: links.report.domains
      .filter(({ roles }) => roles.some((role) => role !== 'image'))
      .map(({ host }) => host),
    linkNames,
    mismatches: links.mismatches,
    idn: facts.from.idn,
    isBulk,
    hidesTarget: hidesTarget(links, content, scan.headerFrom.domain),
    patterns: content.phrasePatterns,
    wording: content.wording,
    isOfMailbox,
  });
  const inBody = guard.longestBodyLineBytes > guard.longestHeaderLineBytes;
  return {
    ...scan,
    guard,
    headers: {
      ...facts,
      classification,
      impersonation,
      isLetter,
      passesOn,
      bulk: { ...bulk, isBulk, mayBe: judged === 'maybe' },
      lines: { ...lines, longestIn: inBody ? longestIn : lines.longestIn },
    },
    content,
    links,
    route: readRoute(block, context.testAddress.domain),
  };
};

/**
 * Returns whether a link hides its target, or the email itself asks for a password. A link that shows the
 * sender's own domain does not count, because it may lead there through a click counter.
 */
const hidesTarget = (
  links: LinkFacts,
  { active }: ContentFacts,
  fromDomain: string | null,
): boolean =>
  links.mismatches.some((one) => !fromDomain || !sameOrganization(one.shown_domain, fromDomain)) ||
  [links.shorteners, links.redirectors, links.ipHosts, links.userinfoHosts].some(
    ({ length }) => length > 0,
  ) ||
  links.homographs.suspicious.length > 0 ||
  active.hard.some((one) => one === PASSWORD_FIELD || one.startsWith('a href='));

/** Domains that authentication and DNS lookups found while the email was read. */
interface AuthenticatedNames {
  /** The organizational domain of From, according to the DNS tree walk. Null if From is unusable. */
  readonly fromOrganizationalDomain: string | null;
  /** The `d=` domain of every signature, whether or not the signature passes. */
  readonly signingDomains: readonly string[];
}

/**
 * Returns whether a domain belongs to the From organization, according to the DNS tree walk or the Public
 * Suffix List.
 */
const ofSender = (domain: string, from: string | null, organization: string | null) =>
  (organization !== null && isUnder(domain, organization)) ||
  (from !== null && sameOrganization(domain, from));

/**
 * Completes header facts with the results of authentication. Pure, so it may be called again when more is
 * known.
 */
export const completeHeaders = (
  facts: HeaderFacts,
  fromDomain: string | null,
  { signingDomains, fromOrganizationalDomain }: AuthenticatedNames,
): HeaderFacts => {
  const { messageId, replyTo } = facts;
  return {
    ...facts,
    messageId: {
      ...messageId,
      related: messageId.related || isRelated(messageId.domain, signingDomains),
    },
    replyTo: {
      ...replyTo,
      sameOrganization:
        replyTo.sameOrganization ||
        (replyTo.domain !== null && ofSender(replyTo.domain, fromDomain, fromOrganizationalDomain)),
    },
  };
};

/** Completes link facts with the organizational domain of From that the DNS tree walk found. */
export const completeLinks = (
  facts: LinkFacts,
  fromDomain: string | null,
  auth: AuthenticatedNames,
): LinkFacts => {
  const domains = facts.report.domains.map((one) => ({
    ...one,
    aligned_with_from:
      one.aligned_with_from || ofSender(one.host, fromDomain, auth.fromOrganizationalDomain),
  }));
  return {
    ...facts,
    report: { ...facts.report, domains },
    underFromDomain:
      facts.underFromDomain ||
      domains.some(({ aligned_with_from, roles }) => aligned_with_from && roles.some(isClicked)),
  };
};

const isClicked = (role: string) => role !== 'image';
