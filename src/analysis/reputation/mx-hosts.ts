/**
 * Judges whether the MX hosts of a domain can receive mail, and provides the states, texts and steps with
 * which the MX checks report and correct their faults.
 */

import { isAddress, isPublicAddress, isSameAddress } from '../addresses.ts';
import { askStep, deleteStep, dnsStep, type Step, withoutProxyStep } from '../advice/actions.ts';
import { askAtAlias } from '../advice/ask-owner.ts';
import { aliasOf, isOthersDomain, isOwnName } from '../advice/ownership.ts';
import type { States } from '../definition.ts';
import type { Facts } from '../facts.ts';
import { formatList } from '../format.ts';
import { entryOf, ifKnown, known, type LookupResult, unknown } from '../lookup-result.ts';
import { mailHostsOf, sameOrganization } from '../names/domain-names.ts';
import type { MailHosts, Names } from '../names/facts.ts';
import { heloName } from '../names/host-name.ts';
import { addressesOf, proxyBefore } from '../names/mail-host.ts';
import { webProxyOf } from '../names/web-proxies.ts';

type Fate =
  | 'usable'
  | 'is an address, not a host name'
  | 'has no address'
  | 'has a private address'
  | 'is behind a web proxy, which does not forward mail';

/** The faults of a domain's MX hosts that matter to servers delivering mail. */
export interface MxJudgement {
  /** Hosts that cannot receive mail, each with the reason. */
  readonly dead: readonly {
    readonly host: string;
    readonly why: Fate;
    /** The intended host, if the domain was appended to its name by mistake. */
    readonly intended?: string;
  }[];
  /**
   * Hosts that are aliases, although an MX record must not name an alias (RFC 2181 §10.3, RFC 5321 §5.1).
   */
  readonly aliases: readonly { readonly host: string; readonly target: string }[];
  /** The null MX as published, if it has other MX records beside it (RFC 7505 §3). */
  readonly nullBeside?: string | undefined;
  readonly noneLeft: boolean;
}

export const NO_FAULT: MxJudgement = { dead: [], aliases: [], noneLeft: false };

function fateOf(host: string, hosts: Names['mxHosts'], isOwnMx: boolean): LookupResult<Fate> {
  if (isAddress(host)) return known('is an address, not a host name');
  const lookup = entryOf(hosts, host);
  if (!lookup) return unknown(`dns: addresses of MX host ${host}: not looked up`);
  if (lookup.status === 'unknown') return lookup;
  const { addresses } = lookup.value;
  if (addresses.length === 0) return known('has no address');
  // Other services that receive mail may have addresses in the ranges of a web proxy.
  if (isOwnMx && webProxyOf(addresses) !== undefined)
    return known('is behind a web proxy, which does not forward mail');
  return known(addresses.some(isPublicAddress) ? 'usable' : 'has a private address');
}

function intendedOf(host: string, hosts: Names['mxHosts']): { readonly intended?: string } {
  const lookup = entryOf(hosts, host);
  const { intended } = (lookup && ifKnown(lookup)) ?? {};
  return intended === undefined ? {} : { intended };
}

/**
 * Judges the MX hosts of a domain. The result is unknown if it depends on a host whose addresses are unknown.
 */
export function judgeMxHosts(
  domain: string,
  mailHosts: MailHosts,
  hosts: Names['mxHosts'],
): LookupResult<MxJudgement> {
  const all = mailHostsOf(domain, mailHosts);
  if (all.length === 0) return known(NO_FAULT);
  const fates = all.map((host) => {
    const isOwnMx = mailHosts.mx.includes(host) && sameOrganization(host, domain);
    return { host, fate: fateOf(host, hosts, isOwnMx) };
  });
  const dead = fates.flatMap(({ host, fate }) =>
    fate.status === 'known' && fate.value !== 'usable'
      ? [{ host, why: fate.value, ...intendedOf(host, hosts) }]
      : [],
  );
  const open = fates.find(({ fate }) => fate.status === 'unknown')?.fate;
  const isUsable = fates.some(({ fate }) => fate.status === 'known' && fate.value === 'usable');
  if (!isUsable && open?.status === 'unknown') return open;
  const aliases = mailHosts.mx.flatMap((host) => {
    const lookup = entryOf(hosts, host);
    const target = lookup?.status === 'known' ? lookup.value.alias : null;
    return target === null || dead.some((one) => one.host === host) ? [] : [{ host, target }];
  });
  const nullBeside = mailHosts.records?.find((record) => record.endsWith(' .'));
  return known({ dead, aliases, nullBeside, noneLeft: !isUsable });
}

/**
 * Returns the faults of MX hosts as text, such as `; gone.example has no address`. Empty if there are none.
 */
export const mxFaults = ({ dead, aliases, nullBeside }: MxJudgement): string =>
  [
    ...dead.map(({ host, why }) => `${host} ${why}`),
    ...aliases.map(({ host, target }) => `${host} is an alias (CNAME) of ${target}`),
    ...(nullBeside === undefined ? [] : [`a null MX (${nullBeside}) is beside the others`]),
  ]
    .map((fault) => `; ${fault}`)
    .join('');

/** Returns the values of the placeholders in a fix. */
export const mxValues = ({ dead }: MxJudgement) => ({
  dead_hosts: formatList(dead.map(({ host }) => host)),
});

/** Returns the names of the fixes that apply, or none if something other than the MX hosts is wrong. */
export const mxFixes = ({ dead, aliases, nullBeside, noneLeft }: MxJudgement) => {
  if (dead.length > 0 && dead.every(({ intended }) => intended)) return ['appended'] as const;
  if (noneLeft) return ['dead'] as const;
  if (dead.length > 0) return ['some_dead'] as const;
  if (nullBeside !== undefined) return ['null_beside'] as const;
  return aliases.length > 0 ? (['alias'] as const) : [];
};

interface Hosted {
  readonly hosts: MxJudgement;
}

/** Returns the states that both MX checks use for faults of individual hosts. */
export const hostStates = <S extends Hosted>({ warn, suggest }: States<S>) => ({
  partly_reachable: warn(1).when(
    'mail cannot be delivered to some of the MX hosts, or a null MX is beside them',
    ({ hosts }) => hosts.dead.length > 0 || hosts.nullBeside !== undefined,
  ),
  alias: suggest.when('an MX host is an alias (CNAME)', ({ hosts }) => hosts.aliases.length > 0),
});

/** Returns the evidence that both MX checks show. */
export const mxEvidence = ({ mx, nullMx, hasAddress, hosts }: MailHosts & Hosted) => ({
  mx,
  null_mx: nullMx,
  has_address: hasAddress,
  unreachable: hosts.dead.map(({ host }) => host),
  aliases: hosts.aliases.map(({ host }) => host),
});

type Mx = Pick<MailHosts, 'mx' | 'records' | 'nullMx' | 'hasAddress'> & {
  readonly hosts: MxJudgement;
};

/**
 * Returns whether a domain without MX records is a mail server itself: it sends this email, or receives mail
 * for another of the sender's domains. Any other address is taken for a website's.
 */
function takesMailItself(domain: string, facts: Facts): boolean {
  const { ip, fromMx, envelopeMx } = facts.names;
  const named = [fromMx, envelopeMx].flatMap((lookup) => (lookup && ifKnown(lookup)?.mx) ?? []);
  const leadsHere = addressesOf(facts, domain)?.some(
    (address) => ip !== null && isSameAddress(address, ip),
  );
  return named.includes(domain) || leadsHere === true;
}

/**
 * Returns a question about the reader's own mail hosts that have no address. Their address records may be all
 * that is missing.
 */
const addressQuestion = (hosts: readonly string[]): string =>
  hosts.length === 0
    ? ''
    : `Is ${formatList(hosts)} your mail server? If so, publish its address there as an A or AAAA record, and leave the MX record as it is. If not: `;

/** Returns the name of the sending host if an MX record contains the host's address instead of its name. */
function nameOfAddress(address: string, facts: Facts): string | undefined {
  const name = heloName(facts.names.helo);
  const leadsThere = addressesOf(facts, name)?.some((one) => isSameAddress(one, address));
  return isAddress(address) && leadsThere && isOwnName(name, facts) ? name : undefined;
}

/**
 * Returns the steps that correct the MX records of a domain. Dead hosts are removed, and an alias is replaced
 * by its target. Only the reader knows which server receives the mail.
 * @param what the kind of mail that is sent to the domain, in words for readers
 */
export function mxSteps(domain: string, mx: Mx, what: string, facts: Facts): readonly Step[] {
  if (isOthersDomain(domain, facts))
    return [
      askStep(
        `Only the provider of ${domain} can change that. Use an address at a domain you own.`,
        'platform',
      ),
    ];
  if (!isOwnName(domain, facts))
    return [
      askStep(
        `${domain} does not belong to the domain of your From address. Ask whoever runs it to name a mail host (MX) there, or use a domain you own for ${what}.`,
        'platform',
      ),
    ];
  const end = aliasOf(domain, facts) ?? domain;
  if (!isOwnName(end, facts))
    return [
      askAtAlias(
        domain,
        end,
        `publish an MX record at ${domain} that names the server that receives its mail.`,
      ),
    ];
  const { dead, aliases, nullBeside, noneLeft } = mx.hosts;
  const unaddressed = dead.flatMap(({ host, why }) =>
    why === 'has no address' && isOwnName(host, facts) ? [host] : [],
  );
  const recordOf = (host: string) =>
    mx.records?.find((record) => record.split(' ')[1] === host) ?? `10 ${host}`;
  if (mx.mx.length === 0 && mx.hasAddress && !mx.nullMx && takesMailItself(domain, facts))
    return [dnsStep(domain, 'MX', `10 ${domain}`)];
  const proxied = dead.filter(({ why }) => why.startsWith('is behind'));
  if (proxied.length > 0)
    return proxied.map(({ host }) => withoutProxyStep(host, proxyBefore(host, facts) ?? '', null));
  const better = dead.flatMap(({ host, intended }) => {
    const name = intended === undefined ? nameOfAddress(host, facts) : `${intended}.`;
    const record = recordOf(host);
    return name === undefined
      ? []
      : [dnsStep(domain, 'MX', `${record.split(' ')[0]} ${name}`, [record])];
  });
  if (dead.length > 0 && better.length === dead.length) return better;
  if (mx.mx.length === 0 || noneLeft)
    return [
      askStep(
        `${addressQuestion(unaddressed)}Which server receives ${what} for ${domain}? Your mail provider shows its name in the setup guide. Publish an MX record at ${end} that names it${mx.mx.length > 0 || mx.nullMx ? ', instead of the existing records' : ''}. If no server receives mail for ${domain}, use a domain that has one for ${what}.`,
      ),
    ];
  if (dead.length > 0)
    return [
      askStep(
        `Does a server still accept mail as ${formatList(dead.map(({ host }) => host))}? If so, have its address published there as an A or AAAA record, and keep the MX record. If not, delete the record.`,
      ),
      deleteStep(
        domain,
        'MX',
        dead.map(({ host }) => recordOf(host)),
      ),
    ];
  return [
    ...(nullBeside === undefined ? [] : [deleteStep(domain, 'MX', [nullBeside])]),
    ...aliases.map(({ host, target }) => {
      const record = recordOf(host);
      return dnsStep(domain, 'MX', `${record.split(' ')[0]} ${target}`, [record]);
    }),
  ];
}
