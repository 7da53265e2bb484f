import type { DkimFact } from '../authentication-facts.ts';
import type { Facts } from '../facts.ts';
import { entryOf, ifKnown } from '../lookup-result.ts';
import { isUnder, sameOrganization } from '../names/domain-names.ts';
import { isFreemail } from '../names/freemail.ts';
import { isGenericName } from '../names/generic-name.ts';
import { isPublicDomain } from '../names/host-name.ts';
import { isProviderDomain } from '../names/shared-pools.ts';
import type { Others } from './actions.ts';

/** The domain whose owner reads the report: From's, or the envelope's where From has none. */
const ownDomain = ({ names }: Facts): string | null => {
  const { fromDomain, envelopeDomain } = names;
  if (fromDomain !== null && isPublicDomain(fromDomain)) return fromDomain;
  return isPublicDomain(envelopeDomain) ? envelopeDomain : null;
};

/**
 * Whether the reader can publish at a name: it belongs to the organization of the From domain, and no
 * provider shares it out. What cannot be decided is not theirs.
 */
export function isOwnName(name: string, facts: Facts): boolean {
  const own = ownDomain(facts);
  if (own === null || isProviderDomain(own) || isFreemail(own)) return false;
  const organization = facts.names.fromOrganizationalDomain ?? own;
  return sameOrganization(name, own) && isUnder(name, shorter(organization, name));
}

/** The name itself where it lies above what DMARC takes for the organization. */
const shorter = (organization: string, name: string): string =>
  isUnder(organization, name) ? name : isUnder(name, organization) ? organization : name;

/** Where the record of a name has to be changed: behind a CNAME it is at its end (RFC 1034 §3.6.2). */
export const aliasOf = (name: string, { aliases = {} }: Facts): string | undefined =>
  entryOf(aliases, name.toLowerCase());

/** What handed the mail on, for readers; null: nothing that it shows. */
function handedOnBy({ headers }: Facts): string | null {
  const { classification, to } = ifKnown(headers) ?? {};
  if (classification?.class === 'discussion_list') return 'a mailing list';
  return to?.forwarded ? 'a forwarder' : null;
}

/** What a list or forwarder did to a mail says nothing of the sender's own set-up. */
export function handedOn(facts: Facts, deed: string): Others | undefined {
  const by = handedOnBy(facts);
  return by === null
    ? undefined
    : {
        owner: 'forwarder',
        why: `This mail came through ${by}, which ${deed}.`,
        ask: 'To see your own set-up, send the test mail directly.',
      };
}

/**
 * What speaks against letting the sending IP into a record: a fix must not let in somebody who only
 * claims to be the sender. null: nothing.
 */
export function doubtAbout(facts: Facts): string | null {
  const { ip, connection, dkim } = { ip: facts.names.ip, ...facts };
  if (ifKnown(connection.spamcop) === 'listed' || isListed(connection.blocklists))
    return `${ip} is on a blocklist`;
  const by = handedOnBy(facts);
  if (by !== null) return `the mail came through ${by}`;
  const signatures = ifKnown(dkim)?.signatures ?? [];
  if (!signatures.some(isGood) && signatures.some(isForged))
    return 'the DKIM signature in the name of your domain does not match the mail';
  if (signatures.some(isGood)) return null;
  const names = ifKnown(connection.ptr) ?? [];
  if (names.length > 0 && names.every((name) => isGenericName(name, ip)))
    return `${names[0]} is a name that networks give to home connections and unconfigured servers`;
  return null;
}

const isListed = (lists: Facts['connection']['blocklists']): boolean =>
  lists.some(({ status }) => status === 'listed');

const isGood = ({ report, ofFromDomain }: DkimFact): boolean =>
  report.result === 'pass' && ofFromDomain;

const isForged = ({ report, ofFromDomain }: DkimFact): boolean =>
  ofFromDomain && (report.reason === 'bad_signature' || report.reason === 'body_hash_mismatch');
