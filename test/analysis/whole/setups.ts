/** Builds setups: an email and a zone that differ from perfect ones. */

import { IP } from '../../support/mail/inspection-environment.ts';
import type { Case } from './case.ts';
import { keyRecord, signature } from './keys.ts';
import { type Draft, letter, page } from './mails.ts';

/** A setup as an email and a zone: what differs from the perfect ones. */
export type Setup = Omit<Case, 'about' | 'states'>;

type Fields = NonNullable<Parameters<typeof letter>[0]>;

const ORDER = 'Your order 10428 has shipped. Track it: https://www.example.com/track/10428';
const linked = ORDER.replace(/https:\S+/, '<a href="$&">$&</a>');

/** Returns a shipping notice, as text and equal HTML. */
export const notice = (fields: Fields = {}, html = page(`<p>${linked}</p>`)): Draft =>
  letter(
    { Subject: 'Your order has shipped', 'Auto-Submitted': null, ...fields },
    { text: ORDER, html },
  );

/** The headers that a plain signer lists in `h=`. */
const PLAIN = [
  ...['from', 'to', 'subject', 'date', 'message-id', 'mime-version', 'content-type'],
  ...['list-unsubscribe', 'list-unsubscribe-post'],
];

export const plainly = (changes: Parameters<typeof signature>[0] = {}) =>
  signature({ h: PLAIN, ...changes });

/** A zone without records that no receiver requires: MTA-STS, TLS-RPT, BIMI, and SPF of the HELO name. */
export const bare = {
  '_mta-sts.example.com': null,
  '_smtp._tls.example.com': null,
  'default._bimi.example.com': null,
  'mail.example.com': { A: [IP] },
} as const;

/** Returns a setup with the bare zone and the plain signature. */
export const setup = ({ zone = {}, ...changes }: Setup = {}): Setup => ({
  mail: notice(),
  signatures: [plainly()],
  ...changes,
  zone: { ...bare, ...zone },
});

/** Returns a setup in which SPF and DKIM pass, but for another domain than the From domain. */
export const elsewhere = (domain: string): Setup => ({
  from: { localPart: 'bounce', domain, smtputf8: false },
  signatures: [plainly({ d: domain })],
  zone: {
    [domain]: { MX: ['10 mail.example.com'], TXT: [`v=spf1 ip4:${IP} -all`] },
    [`s1._domainkey.${domain}`]: { TXT: [keyRecord] },
  },
});
