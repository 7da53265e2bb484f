import { defineCheck } from '../define-check.ts';
import type { Facts } from '../facts.ts';
import { isGenericName } from '../generic-name.ts';
import { bothLooked, entryOf, thenLooked } from '../looked.ts';
import { sameOrganization } from '../mail/links/domain-names.ts';

export const rdnsPtr = defineCheck({
  id: 'rdns_ptr',
  subject: ({ connection }) => connection.ptr,
  ladder: [['fail', (names) => names.length === 0]],
  detail: (names, { connection: { ip } }) =>
    `PTR of ${ip ?? 'the sending IP'}: ${names.join(', ') || 'none'}.`,
});

/** RFC 8601 §2.7.3: any of the names that resolves back to the address is enough. */
export const rdnsFcrdns = defineCheck({
  id: 'rdns_fcrdns',
  subject: ({ connection }) =>
    thenLooked(bothLooked(connection.ptr, connection.forward), ([names, forward]) => ({
      status: 'known',
      value: { names, ...forward },
    })),
  ladder: [['fail', ({ confirmed }) => !confirmed]],
  detail: ({ names, confirmed, confirmedNames, addresses }) =>
    confirmed
      ? `Confirmed: ${confirmedNames.join(', ')}.`
      : `${names.map((name) => `${name}: ${entryOf(addresses, name)?.join(', ') || 'no address'}`).join('; ')}.`,
  fixes: ({ names: [name = ''] }, facts) => (isSendersOwn(name, facts) ? [] : ['foreign']),
  values: ({ names: [name] }) => ({ ...(name && { ptr: name }) }),
});

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
      ? `${names.join(', ')}: the network's name for the address, as of a dial-up or cloud default.`
      : `${names.join(', ')}.`,
});

export const rdnsMultiple = defineCheck({
  id: 'rdns_multiple',
  subject: ({ connection }) => connection.ptr,
  ladder: [['info', (names) => names.length > 1]],
  detail: (names) => `${names.length === 1 ? 'One' : names.length}: ${names.join(', ')}.`,
});
