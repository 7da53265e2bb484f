/** Defines the other senders of a domain, and checks what a fix takes from them, or leaves out. */

import type { Analyzer } from '../../analysis/whole/environment.ts';
import { keyRecord, signature } from '../../analysis/whole/keys.ts';
import { letter } from '../../analysis/whole/mails.ts';
import type { Situation } from '../../analysis/whole/publish.ts';
import { IP } from '../../support/mail/inspection-environment.ts';
import type { Sender, Setup } from './setup.ts';

/** Returns a server that sends unsigned, so that only SPF speaks for it. */
const server = (ip: string, helo: string): Sender => ({
  name: `the server at ${ip}`,
  part: { client: { ip, helo }, mail: letter(), signatures: [] },
});

/** Senders by the term of a record that authorizes them. */
const SENDERS: Readonly<Record<string, Sender>> = {
  'include:_spf.a.example': server('198.51.100.1', 'out.a.example'),
  'include:_spf.b.example': server('203.0.113.1', 'out.b.example'),
  'ip4:192.0.2.128/25': server('192.0.2.130', 'second.example.com'),
  'a:web.example.com': server('198.51.100.77', 'web.example.com'),
  mx: server(IP, 'mail.example.com'),
};

/** Records that the other senders need besides those of the setup. */
export const othersAround: NonNullable<Situation['zone']> = {
  '88.100.51.198.in-addr.arpa': { PTR: ['shop.example.com'] },
  'shop.example.com': { A: ['198.51.100.88'] },
  's8._domainkey.example.com': { TXT: [keyRecord] },
};

/** A server that no term of the SPF record names, though `ptr`, `?all` or `+all` may authorize it. */
const unlisted = server('198.51.100.88', 'shop.example.com');

/** A service with its own return path and its own key at the domain. */
const service: Sender = {
  name: 'the service that signs with s8',
  part: {
    client: { ip: '203.0.113.200', helo: 'out.esp.example' },
    from: { localPart: 'bounce', domain: 'esp.example', smtputf8: false },
    mail: letter(),
    signatures: [signature({ s: 's8' })],
  },
};

/** Returns the senders of a record with these terms, and two that no term names. */
export const sendersOf = (terms: readonly string[]): readonly Sender[] => [
  ...terms.flatMap((term) => SENDERS[term] ?? []),
  unlisted,
  service,
];

type Word = 'SPF' | 'DKIM' | 'DMARC';

/** Returns what passes for a sender with a zone. */
async function passing(
  { part }: Sender,
  zone: Situation['zone'],
  environment: Analyzer,
): Promise<readonly Word[]> {
  const { report } = await environment.analyze({ ...part, ...(zone && { zone }) });
  const { spf, dkim, dmarc } = report.authentication;
  const results: Readonly<Record<Word, boolean>> = {
    SPF: spf.result === 'pass',
    DKIM: dkim.some(({ result }) => result === 'pass'),
    DMARC: dmarc.result === 'pass',
  };
  return (Object.keys(results) as Word[]).filter((word) => results[word]);
}

/** Returns what a fix takes from the others that send for the domain, each as a sentence, or nothing. */
export async function harmToOthers(
  { situation, others = [], meant }: Setup,
  after: Situation,
  environment: Analyzer,
): Promise<readonly string[]> {
  if (after.zone === situation.zone) return [];
  const isCorrected = after.zone?.['example.com'] !== situation.zone?.['example.com'];
  const harms = await Promise.all(
    others.map(async (other) => {
      const now = await passing(other, after.zone, environment);
      const before = await passing(other, situation.zone, environment);
      const wanted = isCorrected && meant ? await passing(other, meant, environment) : [];
      return [
        ...before.filter((word) => !now.includes(word)).map((word) => `no longer passes ${word}`),
        ...(wanted.includes('SPF') && !now.includes('SPF') ? ['is left out unasked'] : []),
      ].map((what) => `${other.name} ${what}`);
    }),
  );
  return harms.flat();
}
