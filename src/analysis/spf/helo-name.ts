/**
 * Decides whether a server should give another name in HELO, because the present one is not its own, and
 * builds the steps that give it a name with an SPF record.
 */

import { isSameAddress } from '../addresses.ts';
import { dnsStep, type Step, serverStep } from '../advice/actions.ts';
import { addressStep } from '../advice/address.ts';
import { dnsNameOf, isOwnName } from '../advice/ownership.ts';
import { ifOwnServer } from '../advice/whose-server.ts';
import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';
import { heloName, isPublicHost, publicIp } from '../names/host-name.ts';
import { confirmedName, mailHost } from '../names/mail-host.ts';

/**
 * Returns the steps for a HELO name that cannot have an SPF record, or that is not the server's. They give the
 * server a name of its own, with a record.
 */
export function ownHeloSteps(facts: Facts): readonly Step[] {
  const { name, resolves } = mailHost(facts);
  if (name === null || !isPublicHost(name) || publicIp(facts.names.ip) === null) return [];
  const { spf } = dnsNameOf(name, facts);
  return ifOwnServer(facts, [
    ...(resolves ? [] : addressStep(name, facts)),
    ...(spf === undefined ? [dnsStep(name, 'TXT', 'v=spf1 a -all')] : []),
    serverStep('helo', name),
  ]);
}

/**
 * Returns whether the server gives a HELO name that does not resolve to its address, although its reverse name
 * is the sender's own and does. The server should then give that name in HELO, so a record at the present one
 * would be of no use.
 */
export function greetsWrongly(facts: Facts): boolean {
  const { heloAddresses } = facts.connection;
  const { helo, ip } = facts.names;
  const confirmed = confirmedName(facts);
  return (
    isPublicHost(heloName(helo)) &&
    ifKnown(heloAddresses)?.some((one) => isSameAddress(one, ip ?? '')) === false &&
    confirmed !== undefined &&
    isOwnName(confirmed, facts)
  );
}
