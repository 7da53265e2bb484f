import { defineCheck } from '../define-check.ts';
import type { Facts } from '../facts.ts';
import { bothLookups, entryOf, thenLookup } from '../lookup-result.ts';
import { sameOrganization } from '../names/domain-names.ts';
import { isGenericName } from '../names/generic-name.ts';
import { isFree, mailHost } from '../names/mail-host.ts';
import { ofPublicIp } from '../names/sending-ip.ts';

export const rdnsPtr = defineCheck({
  id: 'rdns_ptr',
  subject: (facts) => ofPublicIp(facts, facts.connection.ptr),
  ladder: [['fail', (names) => names.length === 0]],
  detail: (names, { connection: { ip } }) =>
    `PTR of ${ip ?? 'the sending IP'}: ${names.join(', ') || 'none'}.`,
  fixes: (_, facts) => (mailHost(facts).resolves ? ['resolves'] : []),
});

/** RFC 8601 §2.7.3: any of the names that resolves back to the address is enough. */
export const rdnsFcrdns = defineCheck({
  id: 'rdns_fcrdns',
  subject: ({ connection }) =>
    thenLookup(bothLookups(connection.ptr, connection.forward), ([names, forward]) => ({
      status: 'known',
      value: { names, ...forward },
    })),
  ladder: [['fail', ({ confirmed }) => !confirmed]],
  detail: ({ names, confirmed, confirmedNames, addresses }) => {
    if (confirmed) return `Confirmed: ${confirmedNames.join(', ')}.`;
    const lookups = names.flatMap((name) => {
      const found = entryOf(addresses, name);
      return found ? [`${name}: ${found.join(', ') || 'no address'}`] : [];
    });
    const rest = names.length - lookups.length;
    return `${[...lookups, ...(rest > 0 ? [`${rest} more, not looked up`] : [])].join('; ')}.`;
  },
  fixes: ({ names }, facts) => {
    const name = nameToPublish(names, facts);
    if (name === undefined) return [mailHost(facts).resolves ? 'resolves' : 'rename'];
    return isSendersOwn(name, facts) ? [] : ['foreign'];
  },
  values: ({ names }, facts) => {
    const name = nameToPublish(names, facts);
    return name === undefined ? {} : { ptr: name };
  },
});

/** A PTR name that needs nothing but the address: a mail host's, best the sender's own, without any. */
function nameToPublish(names: readonly string[], facts: Facts): string | undefined {
  const free = names.filter((name) => isFree(name, facts));
  return free.find((name) => isSendersOwn(name, facts)) ?? free[0];
}

/** Whether the sender can publish at a name: it belongs to one of the organizations of the mail. */
const isSendersOwn = (name: string, { names: { fromDomain, envelopeDomain } }: Facts): boolean =>
  [fromDomain, envelopeDomain].some((domain) => domain && sameOrganization(name, domain));

export const rdnsGeneric = defineCheck({
  id: 'rdns_generic',
  subject: ({ connection }) => connection.ptr,
  ladder: [
    ['warn', (names, { connection: { ip } }) => names.every((name) => isGenericName(name, ip))],
  ],
  detail: (names, { connection: { ip } }) =>
    names.every((name) => isGenericName(name, ip))
      ? `${names.join(', ')}: the name that the network gave the address, as with dial-up lines and cloud defaults.`
      : `${names.join(', ')}.`,
  fixes: (_, facts) => (mailHost(facts).resolves ? ['resolves'] : []),
});

export const rdnsMultiple = defineCheck({
  id: 'rdns_multiple',
  subject: ({ connection }) => connection.ptr,
  ladder: [['info', (names) => names.length > 1]],
  detail: (names) => `${names.length === 1 ? 'One' : names.length}: ${names.join(', ')}.`,
});
