/** Finds faults in the TLSA records of mail hosts, and builds the steps that correct them. */

import { askStep, type Step } from '../advice/actions.ts';
import { isOwnName } from '../advice/ownership.ts';
import type { Facts } from '../facts.ts';
import { formatCount, formatList } from '../format.ts';
import type { Tlsa } from './facts.ts';

/**
 * Length of a hash in bytes, by matching type (RFC 6698 §2.1.3). Type 0 is not a hash, but the key or
 * certificate itself.
 */
const HASH_BYTES: Readonly<Record<number, number>> = { 1: 32, 2: 64 };

/** Matches the beginning of DER data, which is a SEQUENCE. */
const DER = /^30../;

/**
 * Returns the reason why no sender can use a mail host's TLSA record (RFC 7672 §3.1), or null if senders can
 * use it.
 */
export function tlsaFault({ usage, selector, matching, data }: Tlsa): string | null {
  // There is no agreed list of certificate authorities for mail (RFC 7672 §3.1.3).
  if (usage !== 2 && usage !== 3)
    return `usage ${usage} does not apply to mail, which allows 2 or 3`;
  if (selector > 1) return `there is no selector ${selector}`;
  if (matching > 2) return `there is no matching type ${matching}`;
  const bytes = HASH_BYTES[matching];
  if (bytes === undefined)
    return DER.test(data) ? null : 'its data is neither a certificate nor a public key';
  return data.length === 2 * bytes
    ? null
    : `its hash has ${formatCount(data.length / 2, 'byte')}, but matching type ${matching} needs ${bytes}`;
}

export const formatTlsa = ({ usage, selector, matching, data }: Tlsa): string =>
  `${usage} ${selector} ${matching} ${data}`;

/** Returns a step for the operator of a host, who is either the reader or someone whom the reader asks. */
export const hostStep = (host: string, what: string, facts: Facts): Step =>
  isOwnName(host, facts)
    ? askStep(`On ${host}: ${what}`)
    : askStep(`Ask whoever runs ${host} to do this: ${what}`, 'platform');

/**
 * Returns the step that publishes a correct TLSA record. It is for the operator of the host, because nobody
 * else has the host's key.
 */
export function tlsaStep(host: string, records: readonly string[], facts: Facts): Step {
  const instead = records.length > 0 ? `, instead of ${formatList(records)}` : '';
  return hostStep(
    host,
    `print the hash of the server's key: openssl x509 -in cert.pem -noout -pubkey | openssl pkey -pubin -outform der | sha256sum. Publish a TLSA record at _25._tcp.${host} with 3 1 1 and this hash${instead}.`,
    facts,
  );
}
