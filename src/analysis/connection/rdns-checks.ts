/** Defines the checks on the reverse DNS names (PTR) of the sending IP. */

import { nameSteps } from '../advice/address.ts';
import { check } from '../check.ts';
import { formatCount } from '../format.ts';
import { bothLookups, entryOf, ifKnown, mapLookup, thenLookup } from '../lookup-result.ts';
import { isDynamicName, isGenericName } from '../names/generic-name.ts';
import { ofPublicIp } from '../names/host-name.ts';
import { familyCause, mailHost } from '../names/mail-host.ts';
import { nameToGive, onePtrSteps, ptrSteps } from './fixes.ts';

export const rdnsPtr = check({
  id: 'rdns_ptr',
  family: 'rdns',
  title: 'Reverse DNS (PTR)',
  source: 'RFC 1912 §2.1; Gmail requires valid forward and reverse DNS; Yahoo',
  about: {
    what: 'Reverse DNS gives an IP address a name, in a PTR record.',
    why: 'Gmail and many others refuse mail from addresses without a matching name, because infected computers rarely have one.',
    how: [
      'Choose a name for the server, such as mail.example.com, and publish its address in your DNS.',
      'Ask the owner of the IP address to set its PTR record to that name. At a cloud provider, it is a setting of the server or of the address.',
    ],
    bad: '25.2.0.192.in-addr.arpa  PTR  (no record)',
    good: '25.2.0.192.in-addr.arpa  PTR  mail.example.com',
  },
  subject: (facts) => ofPublicIp(facts, facts.connection.ptr),
  states: ({ fail, pass }) => ({
    absent: fail(12, 59).when('no PTR for the sending IP', (names) => names.length === 0),
    present: pass('at least one PTR name'),
  }),
  detail: (names, { connection: { ip } }) =>
    `PTR of ${ip ?? 'the sending IP'}: ${names.join(', ') || 'none'}.`,
  evidence: (names, { connection: { ip } }) => ({ ip, names }),
  fix: 'Your sending address {ip} has no reverse DNS name (PTR), and many receivers refuse mail from such addresses.',
  fixes: {
    ipv6: 'Your sending address {ip} has no reverse DNS name (PTR), and many receivers refuse mail from such addresses. If the owner of the address offers no reverse names for IPv6, have the server prefer IPv4 for sending (Postfix: smtp_address_preference = ipv4).',
  },
  cases: (_, { names: { ip, helo }, connection: { heloAddresses } }) =>
    ip?.includes(':') && helo && ifKnown(heloAddresses)?.some((address) => !address.includes(':'))
      ? ['ipv6']
      : [],
  steps: (names, facts) => ptrSteps(facts, names),
  cause: (_, facts) => familyCause(mailHost(facts).name, facts) ?? 'rdns_ptr',
});

/**
 * Checks that the reverse DNS is forward-confirmed. One PTR name that resolves back to the sending IP is
 * enough (RFC 8601 §3).
 */
export const rdnsFcrdns = check({
  id: 'rdns_fcrdns',
  family: 'rdns',
  gate: 'rdns_ptr',
  title: 'Forward-confirmed reverse DNS',
  source: 'RFC 8601 §3 (iprev)',
  about: {
    what: 'The name that reverse DNS gives must resolve back to the same address.',
    why: 'Anyone can give their address any name. Receivers trust a name only if it resolves back to the same address.',
    how: ['At the reverse name, publish an A record (AAAA for IPv6) with the sending address.'],
    bad: '192.0.2.25 → mail.example.com → 198.51.100.1',
    good: '192.0.2.25 → mail.example.com → 192.0.2.25',
  },
  subject: ({ connection }) =>
    thenLookup(bothLookups(connection.ptr, connection.forward), ([names, forward]) => ({
      status: 'known',
      value: { names, ...forward },
    })),
  states: ({ fail, pass }) => ({
    unconfirmed: fail(12, 59).when(
      'no PTR name resolves back to the IP',
      ({ confirmed }) => !confirmed,
    ),
    confirmed: pass('at least one PTR name resolves back to the IP'),
  }),
  detail: ({ names, confirmed, confirmedNames, addresses }) => {
    if (confirmed) return `Confirmed: ${confirmedNames.join(', ')}.`;
    const lookups = names.flatMap((name) => {
      const found = entryOf(addresses, name);
      return found ? [`${name}: ${found.join(', ') || 'no address'}`] : [];
    });
    const rest = names.length - lookups.length;
    return `${[...lookups, ...(rest > 0 ? [`${rest} more were not looked up`] : [])].join('; ')}.`;
  },
  evidence: ({ names, confirmed, confirmedNames }) => ({
    names,
    confirmed,
    confirmed_names: confirmedNames,
  }),
  fix: 'The reverse name of {ip} does not resolve back to {ip}, so receivers do not trust the name.',
  steps: ({ names }, facts) => {
    const own = nameToGive(names, facts);
    return own === undefined ? ptrSteps(facts, names) : nameSteps(own, facts);
  },
  cause: ({ names }, facts) =>
    familyCause(nameToGive(names, facts) ?? mailHost(facts).name, facts) ?? 'rdns_fcrdns',
});

export const rdnsGeneric = check({
  id: 'rdns_generic',
  family: 'rdns',
  gate: 'rdns_ptr',
  title: 'PTR host name',
  source: 'SpamAssassin RDNS_DYNAMIC; rspamd HFILTER_HOSTNAME_*',
  about: {
    what: 'Many networks give every address a generated name that contains its digits.',
    why: 'Filters associate such names with home connections and unconfigured servers, and trust them less.',
    how: [
      'Set the reverse name to a name under your own domain: see the check “Reverse DNS (PTR)”.',
    ],
    bad: '192-0-2-25.static.provider.example',
    good: 'mail.example.com',
  },
  subject: ({ connection: { ip, ptr } }) =>
    mapLookup(ptr, (names) => ({ names, generic: names.every((name) => isGenericName(name, ip)) })),
  states: ({ warn, pass }) => ({
    dynamic: warn(8).when(
      'the PTR name marks a dynamic address (dyn, pool, dsl, dhcp)',
      ({ names, generic }) => generic && names.some(isDynamicName),
    ),
    generic: warn(8).when(
      'the PTR name was generated by the network (IP octets, compute, hosting defaults)',
      ({ generic }) => generic,
    ),
    own_name: pass('own mail host name'),
  }),
  detail: ({ names, generic }) =>
    `${names.join(', ')}${generic ? ': a name that the network generated' : ''}.`,
  evidence: ({ names, generic }) => ({ names, generic }),
  fix: 'Your sending address has a reverse name generated by its network, and filters associate such names with home connections and infected machines.',
  fixes: {
    dynamic:
      "The reverse name of your sending address marks it as a dynamic IP address, and many receivers refuse mail from dynamic addresses. Send through your provider's mail server, or from a static address with a reverse name under your own domain.",
  },
  cases: ({ names }) => (names.some(isDynamicName) ? ['dynamic'] : []),
  steps: ({ names }, facts) => ptrSteps(facts, names, true),
});

export const rdnsMultiple = check({
  id: 'rdns_multiple',
  family: 'rdns',
  gate: 'rdns_ptr',
  title: 'Number of PTR names',
  source: 'RFC 1912',
  about: {
    what: 'An address can have several reverse names.',
    why: 'Receivers check only one of them, and you cannot tell which. If not every name resolves back to the address, the result is a matter of luck.',
    how: ['Ask the owner of the address to keep one reverse name.'],
    bad: '192.0.2.25 → mail.example.com and www.example.net',
    good: '192.0.2.25 → mail.example.com',
  },
  subject: ({ connection }) => connection.ptr,
  states: ({ suggest, pass }) => ({
    several: suggest.when('more than one PTR name', (names) => names.length > 1),
    single: pass('one'),
  }),
  detail: (names) => `${formatCount(names.length, 'name')}: ${names.join(', ')}.`,
  evidence: (names) => ({ names }),
  fix: 'Your sending address has several reverse names, and a receiver may check any one of them.',
  steps: (names, facts) => onePtrSteps(facts, names),
});
