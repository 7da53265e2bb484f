import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';
import { publicIp } from '../names/sending-ip.ts';
import { isSharedPool, poolTerm } from '../names/shared-pools.ts';

/** The term that lists the sender: what a shared pool documents, never one of its addresses. */
export function termsFor(facts: Facts, present: readonly string[]): readonly string[] {
  const pool = poolNameOf(facts);
  if (pool !== undefined)
    return [poolTerm(pool) ?? []].flat().filter((term) => !present.includes(term));
  const ip = publicIp(facts.names.ip);
  return ip === null ? [] : [`${ip.includes(':') ? 'ip6' : 'ip4'}:${ip}`];
}

/** The confirmed name by which the sending IP belongs to a shared pool. */
const poolNameOf = ({ connection }: Facts): string | undefined =>
  ifKnown(connection.forward)?.confirmedNames.find(isSharedPool);

/** Why no term lists the sender; null: it is not known. */
export function whyNoTerm(facts: Facts): string | null {
  const pool = poolNameOf(facts);
  const { ip } = facts.names;
  if (pool !== undefined)
    return `Many senders share ${ip} (${pool}), so it is not added to your record. Ask the service that owns it which SPF term or return path its customers use.`;
  return publicIp(ip) === null
    ? `${ip ?? 'The sending address'} is not a public address, so receivers see another one. Find out which, and add it to your record.`
    : null;
}
