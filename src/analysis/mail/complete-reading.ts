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
}

/** The domain belongs to the From organization, by the walk or by the Public Suffix List. */
const ofSender = (domain: string, from: string | null, organization: string | null) =>
  (organization !== null && isUnder(domain, organization)) ||
  (from !== null && sameOrganization(domain, from));

/** Header facts with what only authentication shows. Pure; may be asked again with more. */
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
