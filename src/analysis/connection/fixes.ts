import { askStep, dnsStep, type Step, serverStep, withoutProxyStep } from '../advice/actions.ts';
import { addressStep, nameSteps } from '../advice/address.ts';
import { isOwnName } from '../advice/ownership.ts';
import { platformOfName } from '../advice/platforms.ts';
import { ifOwnServer } from '../advice/whose-server.ts';
import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';
import { organizationalDomain } from '../names/domain-names.ts';
import { isGenericName } from '../names/generic-name.ts';
import { publicIp, reverseName } from '../names/host-name.ts';
import {
  bindInstead,
  confirmedName,
  familyCause,
  isFree,
  lacksFamily,
  listedNeighbour,
  mailHost,
  proxyBefore,
} from '../names/mail-host.ts';
import { isSharedPool } from '../names/shared-pools.ts';

/** Whether the sending address can be published at a name: it is the reader's, and no other host's. */
const canBeGiven = (name: string, facts: Facts): boolean =>
  (isFree(name, facts) && isOwnName(name, facts)) || lacksFamily(name, facts);

/** The platform that the sending IP belongs to, by its reverse names or HELO. */
function platformOfIp({ connection, names }: Facts): string | undefined {
  const all = [...(ifKnown(connection.ptr) ?? []), names.helo ?? ''];
  const name = all.find((one) => isSharedPool(one) || platformOfName(one) !== undefined);
  return name && (platformOfName(name)?.name ?? name);
}

/** A name for the sending host that leads to its IP, and what uses it; where none can be told, a question. */
function withHost(facts: Facts, use: (name: string) => readonly Step[]): readonly Step[] {
  const platform = platformOfIp(facts);
  if (platform !== undefined)
    return [
      askStep(`The server belongs to ${platform}. Ask them to correct its names.`, 'platform'),
    ];
  const neighbour = listedNeighbour(facts);
  if (neighbour !== undefined) return [askStep(bindInstead(facts.names.ip ?? '', neighbour))];
  const proxied = proxiedHost(facts);
  if (proxied !== undefined)
    return ifOwnServer(facts, [...proxySteps(proxied, facts), ...use(proxied)]);
  const { name, resolves } = mailHost(facts);
  if (name === null)
    return [
      askStep(
        `Choose a host name for this server under a domain of yours, such as one that begins with mail. Publish its address ${facts.names.ip} there, set its HELO name to it, and ask the owner of the address to set its reverse name (PTR) to it.`,
      ),
    ];
  return ifOwnServer(facts, [...(resolves ? [] : addressStep(name, facts)), ...use(name)]);
}

/** The name that the server has, where a web proxy answers for it. */
function proxiedHost(facts: Facts): string | undefined {
  const { helo, ip } = facts.names;
  const names = [...(ifKnown(facts.connection.ptr) ?? []), helo?.replace(/\.$/, '') ?? ''];
  return publicIp(ip) === null
    ? undefined
    : names
        .map((name) => name.toLowerCase())
        .find((name) => proxyBefore(name, facts) !== undefined);
}

const proxySteps = (name: string, facts: Facts): readonly Step[] => [
  withoutProxyStep(name, proxyBefore(name, facts) ?? '', publicIp(facts.names.ip)),
];

/** One reverse name in place of those there are: the owner of the address can set it. */
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
    ...(alsoHelo ? [serverStep('helo', name)] : []),
  ]);
  // The name that is set already stays as it is.
  const isSet = ({ type, value }: Step) =>
    type === 'PTR' && present.length === 1 && present[0]?.toLowerCase() === value;
  return steps.length > 1 ? steps.filter((step) => !isSet(step)) : steps;
}

const without = (names: readonly string[], name: string): readonly string[] =>
  names.filter((one) => one.toLowerCase() !== name);

/** The one reverse name to keep of several. */
export function onePtrSteps(facts: Facts, present: readonly string[]): readonly Step[] {
  const kept = confirmedName(facts) ?? ifKnown(facts.connection.forward)?.confirmedNames[0];
  const reverse = reverseName(facts.names.ip ?? '');
  if (kept === undefined || reverse === null) return ptrSteps(facts, present);
  return [dnsStep(reverse, 'PTR', kept, without(present, kept), 'address_owner')];
}

const saidName = ({ names }: Facts): string => names.helo?.replace(/\.$/, '').toLowerCase() ?? '';

/** The HELO name is one thing to put right; a new reverse name, or address of the name, brings it along. */
export const heloCause = (facts: Facts): string => {
  const { ip, ptr } = facts.connection;
  const names = ifKnown(ptr) ?? [];
  if (names.length > 0 && names.every((name) => isGenericName(name, ip))) return 'rdns_generic';
  const isKept = confirmedName(facts) === undefined;
  return (isKept ? familyCause(saidName(facts), facts) : undefined) ?? 'helo';
};

/** A reverse name that needs nothing but its address. */
export const nameToGive = (names: readonly string[], facts: Facts): string | undefined =>
  names.find((name) => canBeGiven(name.toLowerCase(), facts) && !isDoubled(name.toLowerCase()));

/** Whether a name has its domain twice at the end, as a panel makes it that adds the domain by itself. */
function isDoubled(name: string): boolean {
  const domain = organizationalDomain(name);
  return `.${name}`.endsWith(`.${domain}.${domain}`);
}

/** A HELO name that leads to the sending IP: the name's address published, or another name. */
export function heloNameSteps(facts: Facts): readonly Step[] {
  const said = saidName(facts);
  const confirmed = confirmedName(facts);
  if (confirmed === undefined && proxyBefore(said, facts) !== undefined)
    return ifOwnServer(facts, proxySteps(said, facts));
  if (confirmed === undefined && canBeGiven(said, facts)) return nameSteps(said, facts);
  return confirmed === undefined
    ? withHost(facts, (name) => [serverStep('helo', name)])
    : [serverStep('helo', confirmed)];
}
