/** Defines the fictional company whose email the demo tests: its address, key and DNS records. */

import { generateKeyPairSync } from 'node:crypto';
import type { Zone } from './dns-zone.ts';

/** The company whose email the demo tests, as the DNS and the email show it. */
export const SENDER = {
  domain: 'sender.example',
  host: 'mail.sender.example',
  /** An address for documentation, which nobody uses (RFC 5737). */
  ip: '192.0.2.25',
  selector: 's2026',
} as const;

/** Points at which a blocklist shows that it works: 127.0.0.2 is listed, and 127.0.0.1 is not. */
const blocklists = ['bl.spamcop.net', 'psbl.surriel.com'];

export interface SenderKey {
  /** The private key in PEM, for the signer. */
  readonly privateKey: string;
  /** The public key for `p=`: base64 of the SPKI. */
  readonly publicKey: string;
}

/** Makes an RSA-2048 DKIM key for this run. */
export function newSenderKey(): SenderKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  };
}

/**
 * Returns what the environment publishes about the sender. Most of it is right, but `p=none` and the missing
 * MTA-STS are left to fix, so that the report has something to say. 127.0.0.1 may send too, for anyone who
 * tries it by hand.
 */
export function senderZone({ publicKey }: SenderKey): Zone {
  const { domain, host, ip, selector } = SENDER;
  const reversed = ip.split('.').reverse().join('.');
  const zone: Record<string, Zone[string]> = {
    [domain]: {
      A: ['192.0.2.80'],
      MX: [`10 ${host}`],
      TXT: [`v=spf1 ip4:${ip} ip4:127.0.0.1 -all`],
    },
    [host]: { A: [ip], TXT: ['v=spf1 a -all'] },
    [`${reversed}.in-addr.arpa`]: { PTR: [host] },
    [`${selector}._domainkey.${domain}`]: { TXT: [`v=DKIM1; k=rsa; p=${publicKey}`] },
    [`_dmarc.${domain}`]: { TXT: [`v=DMARC1; p=none; rua=mailto:dmarc@${domain}`] },
    [`_smtp._tls.${domain}`]: { TXT: [`v=TLSRPTv1; rua=mailto:tls@${domain}`] },
  };
  for (const list of blocklists) zone[`2.0.0.127.${list}`] = { A: ['127.0.0.2'] };
  return zone;
}
