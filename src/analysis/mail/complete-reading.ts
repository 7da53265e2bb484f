import type { HeaderFacts } from '../facts.ts';
import { isRelated } from '../headers/message-id.ts';
import type { LinkFacts } from '../links/facts.ts';
import { isUnder, sameOrganization } from '../names/domain-names.ts';

/** What authentication and the DNS found out while the mail was read. */
export interface AuthenticatedNames {
  /** By the tree walk; null: no usable From. */
  readonly fromOrganizationalDomain: string | null;
  /** `d=` of every signature, passing or not. */
  readonly signingDomains: readonly string[];
  /** Of the domain that the sender registered; empty: not known. */
  readonly nameServers?: readonly string[];
}

/** The domain belongs to the From organization, by the walk or by the Public Suffix List. */
const ofSender = (domain: string, from: string | null, organization: string | null) =>
  (organization !== null && isUnder(domain, organization)) ||
  (from !== null && sameOrganization(domain, from));

/** Header facts with what only authentication shows. Pure; may be asked again with more. */
export const completeHeaders = (facts: HeaderFacts, auth: AuthenticatedNames): HeaderFacts => {
  const { report, messageId, replyTo } = facts;
  const { domain } = report.header_from;
  const replyDomain = report.reply_to_domain ?? null;
  return {
    ...facts,
    report: {
      ...report,
      header_from: {
        ...report.header_from,
        organizational_domain:
          auth.fromOrganizationalDomain ?? report.header_from.organizational_domain,
        ...(auth.nameServers?.length && { name_servers: [...auth.nameServers] }),
      },
    },
    messageId: {
      ...messageId,
      related: messageId.related || isRelated(messageId.domain, auth.signingDomains),
    },
    replyTo: {
      ...replyTo,
      sameOrganization:
        replyTo.sameOrganization ||
        (replyDomain !== null && ofSender(replyDomain, domain, auth.fromOrganizationalDomain)),
    },
  };
};

/** Link facts with the organization of the From domain as the tree walk found it. */
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
