/**
 * Decides who operates the server that delivered an email, or who forwarded it, and builds the questions and
 * conditional steps that keep a fix from authorizing a stranger.
 */

import type { DkimFact } from '../dkim/facts.ts';
import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';
import { sameOrganization } from '../names/domain-names.ts';
import { isGenericName } from '../names/generic-name.ts';
import { isPublicHost } from '../names/host-name.ts';
import { addressesOf } from '../names/mail-host.ts';
import { isSharedPool } from '../names/shared-pools.ts';
import { askStep, type Others, type Step } from './actions.ts';
import { aliasOf, isOwnName } from './ownership.ts';
import { placeSteps } from './place.ts';
import { platformOfName } from './platforms.ts';
import { renderStep } from './render.ts';

/**
 * The operator of the server that delivered the email. Fixes authorize a server that is `own` or `hired`, and
 * ask the reader about any other server.
 */
interface SendingServer {
  readonly whose: 'own' | 'hired' | 'forwarding' | 'foreign' | 'unknown';
  /**
   * The name that identifies the operator: a host name, or whoever forwarded the email. Null if none is
   * known.
   */
  readonly name: string | null;
  /**
   * The reason why the server is not considered the sender's own, as a sentence. Empty if the server is the
   * sender's.
   */
  readonly why: string;
}

const servers = new WeakMap<Facts, SendingServer>();

/**
 * Decides who operates the server, once for all checks. Only evidence that cannot be forged can count in
 * favour of a server: names of the sender that resolve to the address, signatures with the sender's key, and
 * seals that verify. Anything that anyone can write into an email can only count against a server.
 */
export function whoseServer(facts: Facts): SendingServer {
  const server = servers.get(facts) ?? decide(facts);
  servers.set(facts, server);
  return server;
}

function decide(facts: Facts): SendingServer {
  const { ip } = facts.names;
  const said = ifKnown(facts.headers);
  if (said?.classification.class === 'discussion_list') return handedOnBy('a mailing list');
  if (said?.to.forwarded) return handedOnBy('a forwarder');
  const own = namesOf(facts).find((name) => isOwnName(name, facts) && leadsHere(name, facts));
  if (own !== undefined) return { whose: 'own', name: own, why: '' };

  const stranger = strangerOf(facts);
  const isHired = stranger !== undefined && worksFor(stranger, facts);
  const sealer = strangeSealer(facts, isHired ? stranger : undefined);
  if (sealer !== undefined) return handedOnBy(sealer);
  if (said?.to.sentElsewhere) return handedOnBy(stranger ?? 'a forwarder');
  if (stranger !== undefined)
    return isHired
      ? { whose: 'hired', name: stranger, why: '' }
      : { whose: 'foreign', name: stranger, why: `${stranger} is not a name in your domain.` };

  if (facts.connection.ptr.status === 'unknown')
    return unknownServer(`The reverse name of ${ip} could not be looked up.`);
  if (signedByOwner(facts)) return { whose: 'own', name: null, why: '' };
  const [generic] = ifKnown(facts.connection.ptr) ?? [];
  return unknownServer(
    generic === undefined
      ? `No name in your domain resolves to ${ip}, and the email is not signed with your DKIM key.`
      : `${generic} is a name that networks give to home connections and unconfigured servers.`,
  );
}

const handedOnBy = (name: string): SendingServer => ({
  whose: 'forwarding',
  name,
  why: `The email came through ${name}.`,
});

const unknownServer = (why: string): SendingServer => ({ whose: 'unknown', name: null, why });

const plain = (name: string): string => name.toLowerCase().replace(/\.$/, '');

/**
 * Returns the names of the sending address: first those that resolve back to it, then those that are only
 * claimed.
 */
function namesOf({ connection, names }: Facts): readonly string[] {
  const confirmed = ifKnown(connection.forward)?.confirmedNames ?? [];
  return [
    ...new Set([...confirmed, ...(ifKnown(connection.ptr) ?? []), names.helo ?? ''].map(plain)),
  ].filter(isPublicHost);
}

/**
 * Returns whether a name resolves to the sending address, according to the zone that only the owner of the
 * name controls.
 */
const leadsHere = (name: string, facts: Facts): boolean =>
  facts.names.ip !== null && (addressesOf(facts, name) ?? []).includes(facts.names.ip);

/**
 * Returns the first name of the sending address that belongs to someone other than the sender. Generic names,
 * which a network gives to all of its addresses, are ignored unless they belong to a shared sending service.
 */
const strangerOf = (facts: Facts): string | undefined =>
  namesOf(facts).find(
    (name) =>
      !isOwnName(name, facts) && (isSharedPool(name) || !isGenericName(name, facts.names.ip)),
  );

const ownSignatures = ({ dkim }: Facts): readonly DkimFact[] =>
  (ifKnown(dkim)?.signatures ?? []).filter(
    ({ report, ofFromDomain }) => report.result === 'pass' && ofFromDomain,
  );

const signedByOwner = (facts: Facts): boolean => ownSignatures(facts).length > 0;

/**
 * Returns whether the operator behind a name works for the sender. An operator does if it receives the
 * domain's mail, or holds the key that signed this email, or is a platform that delivered an email with the
 * sender's signature.
 */
function worksFor(stranger: string, facts: Facts): boolean {
  if (!isConfirmed(stranger, facts)) return false;
  const isTheirs = (name: string): boolean => sameParty(name, stranger);
  if ((ifKnown(facts.names.fromMx)?.mx ?? []).some(isTheirs)) return true;
  const keys = ownSignatures(facts);
  const holdsKey = keys.some(({ report: { domain, selector } }) => {
    const target = aliasOf(`${selector}._domainkey.${domain}`, facts);
    return target !== undefined && isTheirs(target);
  });
  return holdsKey || (keys.length > 0 && isSharedPool(stranger));
}

const isConfirmed = (name: string, { connection }: Facts): boolean =>
  ifKnown(connection.forward)?.confirmedNames.some((one) => plain(one) === name) ?? false;

/**
 * Returns whether two names belong to the same organization, or to one platform that uses several domains.
 */
function sameParty(one: string, other: string): boolean {
  const platform = platformOfName(one);
  return (
    sameOrganization(one, other) || (platform !== undefined && platform === platformOfName(other))
  );
}

/** Services whose ARC seals name a different domain from that of their hosts. */
const SEALS_FOR: Readonly<Record<string, string>> = {
  'microsoft.com': 'outbound.protection.outlook.com',
};

/**
 * Returns the domain of a sealer in the ARC chain that is neither the sender nor a service that the sender
 * hired.
 */
function strangeSealer(facts: Facts, hired: string | undefined): string | undefined {
  const { result, chain = [] } = ifKnown(facts.arc)?.report ?? {};
  if (result !== 'pass') return undefined;
  return chain
    .map(({ domain }) => domain)
    .find(
      (name) =>
        name !== '' &&
        !isOwnName(name, facts) &&
        !(hired !== undefined && sameParty(SEALS_FOR[name] ?? name, hired)),
    );
}

/**
 * Returns whether a failed signature passed before a forwarder changed the email, as the forwarder's ARC seal
 * shows (RFC 8617). In that case, the signer did nothing wrong.
 */
export function passedBefore({ report: { domain, reason } }: DkimFact, facts: Facts): boolean {
  const { report, passedBefore: passed = [] } = ifKnown(facts.arc) ?? {};
  return (
    (reason === 'body_hash_mismatch' || reason === 'bad_signature') &&
    report?.result === 'pass' &&
    passed.some((name) => name === '' || sameOrganization(name, domain)) &&
    whoseServer(facts).whose === 'forwarding'
  );
}

/**
 * Returns a fix for the forwarder if a mailing list or forwarder handed on the email. A forwarded email says
 * nothing about the sender's own setup.
 */
export function handedOn(facts: Facts, deed: string): Others | undefined {
  const { whose, name } = whoseServer(facts);
  return whose === 'forwarding'
    ? {
        owner: 'forwarder',
        why: `This email came through ${name}, which ${deed}.`,
        ask: 'To test your own setup, send the test email directly.',
      }
    : undefined;
}

/**
 * Returns the reason why a fix should not simply authorize the sending address, as a sentence, or null if
 * nothing speaks against it. A fix must not authorize someone who only claims to be the sender.
 */
export function doubtAbout(facts: Facts): string | null {
  const { connection, names } = facts;
  const isListed = connection.blocklists.some(({ status }) => status === 'listed');
  if (isListed || ifKnown(connection.spamcop) === 'listed') return `${names.ip} is on a blocklist.`;
  const { whose, why } = whoseServer(facts);
  if (whose === 'forwarding') return why;
  const signatures = ifKnown(facts.dkim)?.signatures ?? [];
  if (!signedByOwner(facts) && signatures.some(isForged))
    return 'The DKIM signature of your domain does not match the email.';
  return why === '' ? null : why;
}

const isForged = ({ report, ofFromDomain }: DkimFact): boolean =>
  ofFromDomain && (report.reason === 'bad_signature' || report.reason === 'body_hash_mismatch');

/**
 * Returns a question whose answer decides whether to authorize the sending address. The question includes the
 * steps for readers who answer yes, as text, so they must be at the right DNS names already.
 */
export function askWhose(facts: Facts, doubt: string, steps: readonly Step[]): Step {
  const { ip } = facts.names;
  const { whose, name } = whoseServer(facts);
  const platform = name === null ? undefined : platformOfName(name);
  const question =
    platform && whose === 'foreign'
      ? `Do you send through ${platform.name}?`
      : `Is ${ip}${name && isPublicHost(name) ? ` (${name})` : ''} one of your servers, or a server of a service that sends for you?`;
  const yes =
    steps.length > 0
      ? ` If so: ${steps.map(renderStep).join('\n')}`
      : ` If so, add it to your record.`;
  return askStep(
    `${doubt} ${question} If not, change nothing: the email was forwarded, or somebody else uses your domain.${yes}`,
  );
}

/**
 * Returns steps that authorize the sending address. If the server is not the sender's, they are wrapped in a
 * question about whose server it is.
 */
export function ifOwnServer(facts: Facts, steps: readonly Step[]): readonly Step[] {
  const { whose, why } = whoseServer(facts);
  const lets = steps.some(({ kind, type }) => kind === 'dns' && type !== 'PTR');
  const isStrange = whose === 'forwarding' || whose === 'foreign';
  return steps.length > 0 && (isStrange || (whose === 'unknown' && lets))
    ? [askWhose(facts, why, placeSteps(steps, facts))]
    : steps;
}
