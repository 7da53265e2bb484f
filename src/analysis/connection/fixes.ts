/**
 * Builds the steps that fix the reverse DNS names (PTR) and the HELO name of the sending server, and names
 * the cause that findings about HELO share.
 */

import { inside6to4 } from '../addresses.ts';
import { askStep, dnsStep, type Step, serverStep, withoutProxyStep } from '../advice/actions.ts';
import { addressStep, nameSteps } from '../advice/address.ts';
import { isOwnName } from '../advice/ownership.ts';
import { platformOfName } from '../advice/platforms.ts';
import { ifOwnServer } from '../advice/whose-server.ts';
import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';
import { organizationalDomain } from '../names/domain-names.ts';
import { isGenericName } from '../names/generic-name.ts';
import { heloName, publicIp, reverseName } from '../names/host-name.ts';
import {
  bindInstead,
  confirmedName,
  familyCause,
  isFree,
  lacksFamily,
  leave6to4,
  listedNeighbour,
  mailHost,
  proxyBefore,
} from '../names/mail-host.ts';
import { isSharedPool } from '../names/shared-pools.ts';

/**
 * Returns whether an address record for the sending IP can be published at a name. The name must either be
 * the reader's and have no address yet, or belong to this host and only lack a record of this address family.
 */
const canBeGiven = (name: string, facts: Facts): boolean =>
  inside6to4(facts.names.ip ?? '') === null &&
  ((isFree(name, facts) && isOwnName(name, facts)) || lacksFamily(name, facts));

/**
 * Returns the name of the platform to which the sending IP belongs, according to its reverse names or HELO
 * name.
 */
function platformOfIp({ connection, names }: Facts): string | undefined {
  const all = [...(ifKnown(connection.ptr) ?? []), names.helo ?? ''];
  const name = all.find((one) => isSharedPool(one) || platformOfName(one) !== undefined);
  return name && (platformOfName(name)?.name ?? name);
}

/**
 * Returns the steps that use a name of the sending host, or a question if no such name can be chosen. If the
 * name does not resolve to the sending IP yet, a step publishes its address first.
 */
function withHost(facts: Facts, use: (name: string) => readonly Step[]): readonly Step[] {
  const platform = platformOfIp(facts);
  if (platform !== undefined)
    return [
      askStep(
        `The server belongs to ${platform}. Ask them to correct its HELO name and its reverse name.`,
        'platform',
      ),
    ];
  const neighbour = listedNeighbour(facts);
  if (neighbour !== undefined) return [askStep(bindInstead(facts.names.ip ?? '', neighbour))];
  const instead = leave6to4(facts.names.ip ?? '');
  if (instead !== null) return [askStep(instead)];
  const proxied = proxiedHost(facts);
  if (proxied !== undefined)
    return ifOwnServer(facts, [...proxySteps(proxied, facts), ...use(proxied)]);
  const { name, resolves } = mailHost(facts);
  if (name === null)
    return [
      askStep(
        `Choose a host name for this server under one of your domains, such as mail.example.com if your domain is example.com. Publish an address record for that name with ${facts.names.ip}, use the name in HELO, and ask the owner of the address to set its reverse name (PTR) to the same name.`,
      ),
    ];
  return ifOwnServer(facts, [...(resolves ? [] : addressStep(name, facts)), ...use(name)]);
}

/**
 * Returns the name of the sending server whose address records lead to a web proxy instead, or `undefined` if
 * there is none.
 */
function proxiedHost(facts: Facts): string | undefined {
  const { helo, ip } = facts.names;
  const names = [...(ifKnown(facts.connection.ptr) ?? []), heloName(helo)];
  return publicIp(ip) === null
    ? undefined
    : names.map((name) => name.toLowerCase()).find((name) => isProxied(name, facts));
}

/**
 * Returns whether a name of the sending server leads to a web proxy that should be turned off. The proxy of a
 * domain itself serves its website, and needs no change if the server has another name.
 */
const isProxied = (name: string, facts: Facts): boolean =>
  proxyBefore(name, facts) !== undefined &&
  organizationalDomain(name) !== name &&
  !mailHost(facts).resolves;

const proxySteps = (name: string, facts: Facts): readonly Step[] => [
  withoutProxyStep(name, proxyBefore(name, facts) ?? '', publicIp(facts.names.ip)),
];

/**
 * Returns whether the server greets with a usable name other than the new reverse name, which it would then
 * no longer match. An unusable name has a finding of its own.
 */
const isUsableHeloBesides = (
  name: string,
  { names: { helo }, connection: { heloAddresses } }: Facts,
): boolean => heloName(helo) !== name && (ifKnown(heloAddresses)?.length ?? 0) > 0;

/**
 * Returns the steps that replace the present reverse names with a single one. Only the owner of the IP
 * address can set it.
 */
export function ptrSteps(
  facts: Facts,
  present: readonly string[],
  alsoHelo = false,
): readonly Step[] {
  const reverse = reverseName(facts.names.ip ?? '');
  const steps = withHost(facts, (name) => [
    ...(reverse === null
      ? []
      : [dnsStep(reverse, 'PTR', name, without(present, name), 'address_owner')]),
    ...(alsoHelo || isUsableHeloBesides(name, facts) ? [serverStep('helo', name)] : []),
  ]);
  // A reverse name that is already set does not need a step.
  const isSet = ({ type, value }: Step) =>
    type === 'PTR' && present.length === 1 && present[0]?.toLowerCase() === value;
  return steps.length > 1 ? steps.filter((step) => !isSet(step)) : steps;
}

const without = (names: readonly string[], name: string): readonly string[] =>
  names.filter((one) => one.toLowerCase() !== name);

/** Returns the steps that keep one of several reverse names and remove the others. */
export function onePtrSteps(facts: Facts, present: readonly string[]): readonly Step[] {
  const kept = confirmedName(facts) ?? ifKnown(facts.connection.forward)?.confirmedNames[0];
  const reverse = reverseName(facts.names.ip ?? '');
  if (kept === undefined || reverse === null) return ptrSteps(facts, present);
  return [dnsStep(reverse, 'PTR', kept, without(present, kept), 'address_owner')];
}

/**
 * Returns the cause shared by the findings about the HELO name. If the fix of another finding, such as one
 * about reverse names, also fixes HELO, the cause of that finding is returned.
 */
export const heloCause = (facts: Facts): string => {
  const { ip, ptr } = facts.connection;
  const names = ifKnown(ptr) ?? [];
  if (names.length > 0 && names.every((name) => isGenericName(name, ip))) return 'rdns_generic';
  const isKept = confirmedName(facts) === undefined;
  return (isKept ? familyCause(heloName(facts.names.helo), facts) : undefined) ?? 'helo';
};

/** Returns the first reverse name that only lacks an address record for the sending IP. */
export const nameToGive = (names: readonly string[], facts: Facts): string | undefined =>
  names.find((name) => canBeGiven(name.toLowerCase(), facts) && !isDoubled(name.toLowerCase()));

/**
 * Returns whether a name ends with its domain twice, because a DNS panel appended the domain to a name that
 * already contained it.
 */
function isDoubled(name: string): boolean {
  const domain = organizationalDomain(name);
  return `.${name}`.endsWith(`.${domain}.${domain}`);
}

/**
 * Returns the steps towards a HELO name that resolves to the sending IP: either the present name gets the
 * address, or the server uses another name.
 */
export function heloNameSteps(facts: Facts): readonly Step[] {
  const said = heloName(facts.names.helo);
  const confirmed = confirmedName(facts);
  if (confirmed !== undefined && !isOwnName(confirmed, facts))
    return platformOfIp(facts) === undefined
      ? [
          askStep(
            `The server belongs to whoever runs ${confirmed}. If that is your provider, ask them to correct its HELO name. If you run it yourself, set its HELO name to ${confirmed}.`,
            'platform',
          ),
        ]
      : withHost(facts, () => []);
  if (confirmed === undefined && isProxied(said, facts))
    return ifOwnServer(facts, proxySteps(said, facts));
  if (confirmed === undefined && canBeGiven(said, facts)) return nameSteps(said, facts);
  return confirmed === undefined
    ? withHost(facts, (name) => [serverStep('helo', name)])
    : [serverStep('helo', confirmed)];
}
