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
import { platformOfName } from './platforms.ts';
import { renderStep } from './render.ts';

/** Whose the server is that handed the mail over. A fix lets in what is `own` or `hired`, and asks of others. */
interface SendingServer {
  readonly whose: 'own' | 'hired' | 'forwarding' | 'foreign' | 'unknown';
  /** The name that stands behind it, a host or who handed the mail on; null: none is known. */
  readonly name: string | null;
  /** Why it is not taken for the sender's, as a sentence; empty: it is. */
  readonly why: string;
}

const servers = new WeakMap<Facts, SendingServer>();

/**
 * Decided once for all checks, by what cannot be claimed: names of the sender's that lead to the
 * address, a signature with the sender's key, seals that verify. What anybody can write into a mail
 * only ever speaks against a server.
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
      : { whose: 'foreign', name: stranger, why: `${stranger} is not a name of your domain.` };

  if (facts.connection.ptr.status === 'unknown')
    return unknownServer(`The reverse name of ${ip} could not be looked up.`);
  if (signedByOwner(facts)) return { whose: 'own', name: null, why: '' };
  const [generic] = ifKnown(facts.connection.ptr) ?? [];
  return unknownServer(
    generic === undefined
      ? `No name of your domain leads to ${ip}, and your key did not sign the mail.`
      : `${generic} is a name that networks give to home connections and unconfigured servers.`,
  );
}

const handedOnBy = (name: string): SendingServer => ({
  whose: 'forwarding',
  name,
  why: `The mail came through ${name}.`,
});

const unknownServer = (why: string): SendingServer => ({ whose: 'unknown', name: null, why });

const plain = (name: string): string => name.toLowerCase().replace(/\.$/, '');

/** The names of the address: those that lead back to it first, then what is only said. */
function namesOf({ connection, names }: Facts): readonly string[] {
  const confirmed = ifKnown(connection.forward)?.confirmedNames ?? [];
  return [
    ...new Set([...confirmed, ...(ifKnown(connection.ptr) ?? []), names.helo ?? ''].map(plain)),
  ].filter(isPublicHost);
}

/** Whether who holds the zone of a name says that it is the sending address. */
const leadsHere = (name: string, facts: Facts): boolean =>
  facts.names.ip !== null && (addressesOf(facts, name) ?? []).includes(facts.names.ip);

/** Somebody else's name behind the address. What a network gives to all of its addresses is nobody's. */
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
 * Whether the sender has hired who is behind a name: they take the domain's mail, hold the key that
 * signed this one, or are a platform through which a mail with the sender's signature came.
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

/** One organization, or one platform under several domains. */
function sameParty(one: string, other: string): boolean {
  const platform = platformOfName(one);
  return (
    sameOrganization(one, other) || (platform !== undefined && platform === platformOfName(other))
  );
}

/** A service seals in another name than its hosts have. */
const SEALS_FOR: Readonly<Record<string, string>> = {
  'microsoft.com': 'outbound.protection.outlook.com',
};

/** Who sealed the mail on its way and is neither the sender nor the service that the sender hired. */
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
 * Whether a signature passed when the mail came to somebody else on its way, who changed the mail and
 * sealed what they had seen (RFC 8617): the signer did nothing wrong.
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

/** What a list or forwarder did to a mail says nothing of the sender's own set-up. */
export function handedOn(facts: Facts, deed: string): Others | undefined {
  const { whose, name } = whoseServer(facts);
  return whose === 'forwarding'
    ? {
        owner: 'forwarder',
        why: `This mail came through ${name}, which ${deed}.`,
        ask: 'To see your own set-up, send the test mail directly.',
      }
    : undefined;
}

/**
 * What speaks against letting the sending address in, as a sentence: a fix must not let in somebody who
 * only claims to be the sender. null: nothing.
 */
export function doubtAbout(facts: Facts): string | null {
  const { connection, names } = facts;
  const isListed = connection.blocklists.some(({ status }) => status === 'listed');
  if (isListed || ifKnown(connection.spamcop) === 'listed') return `${names.ip} is on a blocklist.`;
  const { whose, why } = whoseServer(facts);
  if (whose === 'forwarding') return why;
  const signatures = ifKnown(facts.dkim)?.signatures ?? [];
  if (!signedByOwner(facts) && signatures.some(isForged))
    return 'The DKIM signature in the name of your domain does not match the mail.';
  return why === '' ? null : why;
}

const isForged = ({ report, ofFromDomain }: DkimFact): boolean =>
  ofFromDomain && (report.reason === 'bad_signature' || report.reason === 'body_hash_mismatch');

/** What would let the sending address in, as a question: what to do stands behind it, for who says yes. */
export function askWhose(facts: Facts, doubt: string, steps: readonly Step[]): Step {
  const { ip } = facts.names;
  const { whose, name } = whoseServer(facts);
  const platform = name === null ? undefined : platformOfName(name);
  const question =
    platform && whose === 'foreign'
      ? `Do you send through ${platform.name}?`
      : `Is ${ip}${name && isPublicHost(name) ? ` (${name})` : ''} a server of yours, or of a service that sends for you?`;
  const yes =
    steps.length > 0
      ? ` If so: ${steps.map(renderStep).join('\n')}`
      : ` If so, add it to your record.`;
  return askStep(
    `${doubt} ${question} If not, change nothing: the mail was handed on, or somebody else uses your domain.${yes}`,
  );
}

/** Steps that name the sending address as the sender's: as they are where it is, else as a question. */
export function ifOwnServer(facts: Facts, steps: readonly Step[]): readonly Step[] {
  const { whose, why } = whoseServer(facts);
  const lets = steps.some(({ kind, type }) => kind === 'dns' && type !== 'PTR');
  const isStrange = whose === 'forwarding' || whose === 'foreign';
  return steps.length > 0 && (isStrange || (whose === 'unknown' && lets))
    ? [askWhose(facts, why, steps)]
    : steps;
}
