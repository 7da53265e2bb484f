/**
 * Runs a yardstick of the analysis: mailauth's SPF, DKIM, ARC and DMARC for an email of the demo's sender,
 * and nothing else.
 */

import { type ARCData, arc, type DNSResolver, dkimVerify, dmarc, spf } from 'mailauth';
import { SENDER } from '../../environment/sender.ts';

const { domain, host, ip } = SENDER;

/**
 * The yardstick: mailauth's SPF, DKIM, ARC and DMARC for an email of the demo's sender, and nothing else.
 */
export async function authenticateAlone(mail: Buffer, resolver: DNSResolver): Promise<void> {
  const sender = `orders@${domain}`;
  const { status } = await spf({ sender, ip, helo: host, mta: 'in.example.net', resolver });
  const dkim = await dkimVerify(mail, { resolver });
  if (dkim.arc) await arc(dkim.arc as ARCData, { resolver });
  const passing = dkim.results.filter((one) => one.status.result === 'pass');
  const verdict = await dmarc({
    headerFrom: dkim.headerFrom,
    spfDomains: status.result === 'pass' ? [domain] : [],
    dkimDomains: passing.map(({ signingDomain = '' }) => ({ domain: signingDomain })),
    resolver,
  });
  // A yardstick that gives up early would be too fast.
  if (verdict === false || verdict.status.result !== 'pass')
    throw new Error('The yardstick does not authenticate the email.');
}
