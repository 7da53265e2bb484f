import { isOwnName } from '../advice/ownership.ts';
import { defineCheck } from '../define-check.ts';
import { bothLookups, entryOf, thenLookup } from '../lookup-result.ts';
import { isGenericName } from '../names/generic-name.ts';
import { isFree } from '../names/mail-host.ts';
import { ofPublicIp } from '../names/sending-ip.ts';
import { nameSteps, onePtrSteps, ptrSteps } from './fixes.ts';

export const rdnsPtr = defineCheck({
  id: 'rdns_ptr',
  subject: (facts) => ofPublicIp(facts, facts.connection.ptr),
  ladder: [['fail', (names) => names.length === 0]],
  detail: (names, { connection: { ip } }) =>
    `PTR of ${ip ?? 'the sending IP'}: ${names.join(', ') || 'none'}.`,
  steps: (names, facts) => ptrSteps(facts, names),
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
  steps: ({ names }, facts) => {
    // A name of the sender's that needs nothing but the address.
    const own = names.find((name) => isFree(name, facts) && isOwnName(name, facts));
    return own === undefined ? ptrSteps(facts, names) : nameSteps(own, facts);
  },
});

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
  steps: (names, facts) => ptrSteps(facts, names, true),
});

export const rdnsMultiple = defineCheck({
  id: 'rdns_multiple',
  subject: ({ connection }) => connection.ptr,
  ladder: [['info', (names) => names.length > 1]],
  detail: (names) => `${names.length === 1 ? 'One' : names.length}: ${names.join(', ')}.`,
  steps: (names, facts) => onePtrSteps(facts, names),
});
