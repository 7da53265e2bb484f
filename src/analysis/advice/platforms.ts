/** Recognizes sending platforms, such as email service providers, by host names and by an email's facts. */

import { PLATFORMS, type Platform } from '../../domain/platforms.ts';
import type { Facts } from '../facts.ts';
import { ifKnown } from '../lookup-result.ts';
import { isUnder } from '../names/domain-names.ts';

/** Returns the sending platform, such as an email service provider, to which a host name belongs. */
export const platformOfName = (name: string): Platform | undefined => {
  const host = name.toLowerCase().replace(/\.$/, '');
  return PLATFORMS.find(({ domains }) => domains.some((domain) => isUnder(host, domain)));
};

/**
 * Returns the platform that sent the email. Only evidence that other senders cannot forge counts: a name of
 * the sending IP that resolves back to it, a signature that passes, or the domain that receives bounces.
 */
export function platformOf({ connection, dkim, names }: Facts): Platform | undefined {
  const signing = (ifKnown(dkim)?.signatures ?? []).filter(
    ({ report }) => report.result === 'pass',
  );
  return [
    ...(ifKnown(connection.forward)?.confirmedNames ?? []),
    ...signing.map(({ report }) => report.domain),
    names.envelopeDomain,
  ]
    .map(platformOfName)
    .find((platform) => platform !== undefined);
}
