/**
 * Recognizes host names that a network assigned to an address, such as default PTR names, and those whose
 * words say that the address changes.
 */

import { getSubdomain } from 'tldts';
import { hexOf } from '../addresses.ts';
import { wordSet } from '../syntax/words.ts';

/**
 * Matches default host names that do not contain the address: OVH `vps-1a2b3c4d` and `vps123456`, Contabo
 * `vmi123456` and `vmd123456`, Linode `li123-45`, netcup `v2202609812511656`.
 */
const DEFAULT_HOST =
  /(?:^|\.)(?:vps-?[0-9a-f]{5,}|vm[di]\d{5,}|li\d{2,4}-\d{1,3}|v\d{12,})(?:\.|$)/;

/** Matches zones in which the provider itself names the machines. */
const DEFAULT_ZONE =
  /(?:^|\.)(?:vps\.ovh\.(?:net|ca|us)|contaboserver\.net|members\.linode\.com|ip\.linodeusercontent\.com|googleusercontent\.com|cloudapp\.azure\.com|vultrusercontent\.com|instances\.scw\.cloud|poneytelecom\.eu|hstgr\.cloud|stratoserver\.net|upcloud\.host|ip-\d{1,3}-\d{1,3}-\d{1,3}\.(?:eu|net)|clients\.your-server\.de)$/;

/** Words in the host names of access networks, whose addresses change hands. */
const DYNAMIC_WORDS = wordSet(
  'adsl broadband cable catv cpe dhcp dial dialup dip dsl dyn dynamic dynip ftth gpon pool ppp ' +
    'pppoe sdsl vdsl wimax xdsl',
);

/** A word that appears in the default host names of clouds. */
const DEFAULT_WORD = 'compute';

/** A name with this many consecutive hex digits of an IPv6 address contains that address on purpose. */
const IPV6_RUN = 12;

/** A name with this many consecutive 16-bit groups of an IPv6 address contains that address on purpose. */
const IPV6_GROUPS = 4;

/**
 * Returns whether a PTR name was assigned by a network instead of being chosen for a mail host. Such a name
 * contains the address, or a word such as `pool`. Only the part before the registrable domain counts, so that
 * a company may be called `dsl.example`.
 */
export function isGenericName(name: string, ip: string | null): boolean {
  const host = hostOf(name);
  const whole = name.toLowerCase().replace(/\.$/, '');
  if (DEFAULT_ZONE.test(whole) || DEFAULT_HOST.test(`${host}.`)) return true;
  if (wordsOf(host).some((word) => DYNAMIC_WORDS.has(word) || word === DEFAULT_WORD)) return true;
  return ip !== null && holdsAddress(host, ip);
}

/**
 * Returns whether a name lies in a zone in which the provider names the machines, or contains the address. No
 * words count, because a sender may use such words too.
 */
export const isMachineName = (name: string, ip: string | null): boolean =>
  DEFAULT_ZONE.test(name.toLowerCase().replace(/\.$/, '')) ||
  (ip !== null && holdsAddress(hostOf(name), ip));

/** Returns whether the words in a host name say that its address changes from time to time. */
export const isDynamicName = (name: string): boolean => {
  const words = wordsOf(hostOf(name));
  return !words.includes('static') && words.some((word) => DYNAMIC_WORDS.has(word));
};

const hostOf = (name: string): string =>
  (getSubdomain(name, { allowPrivateDomains: false }) ?? '').toLowerCase();

const wordsOf = (host: string): readonly string[] =>
  host.split(/[.\-_]/).map((word) => word.replace(/\d+$/, ''));

function holdsAddress(host: string, ip: string): boolean {
  const hex = hexOf(ip);
  if (hex === null) return false;
  if (hex.length > 8) return holdsIpv6(host, hex);
  if (host.includes(hex)) return true;

  // A generic name contains three consecutive octets. `a48-123.` in a large pool contains two, and is a
  // chosen name.
  const octets = ip.split('.');
  const numbers = host.split(/\D+/).filter(Boolean).map(Number);
  const inOrder = (wanted: readonly string[]) =>
    numbers.some((_, at) => wanted.every((octet, i) => numbers[at + i] === Number(octet)));
  const back = octets.toReversed();
  const padded = octets.map((octet) => octet.padStart(3, '0')).join('');
  return (
    [octets.slice(1), octets.slice(0, 3), back.slice(1), back.slice(0, 3)].some(inOrder) ||
    host.includes(padded)
  );
}

function holdsIpv6(host: string, hex: string): boolean {
  const digits = host.replace(/[^0-9a-f]/g, '');
  // The digits in the order of `ip6.arpa`: one by one, the last digit first.
  const nibbles = [...hex].reverse().join('').slice(0, IPV6_RUN);
  if (digits.includes(hex.slice(-IPV6_RUN)) || digits.includes(nibbles)) return true;

  const groups = (hex.match(/.{4}/g) ?? []).map((group) => Number.parseInt(group, 16));
  const words = host.split(/[^0-9a-f]+/).map((word) => Number.parseInt(word, 16));
  const wanted = groups.slice(-IPV6_GROUPS);
  return words.some((_, at) => wanted.every((group, i) => words[at + i] === group));
}
