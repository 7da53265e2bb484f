/** Generates random setups with several faults at once, some of them in unusual surroundings. */

import fc from 'fast-check';
import type { Names } from '../../analysis/whole/case.ts';
import { keys, recordOf, signature } from '../../analysis/whole/keys.ts';
import { type Fields, newsletter } from '../../analysis/whole/mails.ts';
import { dmarc, ORIGIN, PTR } from '../../analysis/whole/zone.ts';
import { IP } from '../../support/mail/inspection-environment.ts';
import { CHANGES, KEY_RECORDS, SIGNERS } from './dkim-setups.ts';
import { DMARC_FAULTS, POLICIES } from './dmarc-setups.ts';
import { othersAround, sendersOf } from './others.ts';
import { isForwarding, PLACES } from './places.ts';
import type { Setup } from './setup.ts';
import { SPF_FAULTS, spfAround, TERMS } from './spf-setups.ts';

type Situation = Setup['situation'];

/** Senders, by the names of their address. */
const SERVERS: Readonly<
  Record<string, { readonly part: Situation; readonly server?: 'stranger' }>
> = {
  'own server': { part: {} },
  'own server, no reverse name': { part: { zone: { [PTR]: null } } },
  'own server, HELO localhost': { part: { client: { helo: 'localhost' } } },
  'own server, reverse name of the network': {
    part: {
      zone: {
        [PTR]: { PTR: ['vps-1a2b3c4d.host.example'] },
        'vps-1a2b3c4d.host.example': { A: [IP] },
      },
    },
  },
  'a server of another organization': {
    part: {
      client: { helo: 'mx.other.example' },
      zone: { [PTR]: { PTR: ['mx.other.example'] }, 'mx.other.example': { A: [IP] } },
    },
    server: 'stranger',
  },
  'a HELO name of another organization': {
    part: { client: { helo: 'mx.other.example' }, zone: { [PTR]: null } },
    server: 'stranger',
  },
};

/** Header fields that are missing or wrong. */
const HEADERS: Readonly<Record<string, Fields>> = {
  'right headers': {},
  'no Message-ID': { 'Message-ID': null },
  'a Message-ID of localhost': { 'Message-ID': '<1@localhost>' },
  'no Date': { Date: null },
  'no List-Unsubscribe': { 'List-Unsubscribe': null, 'List-Unsubscribe-Post': null },
  'no List-Unsubscribe-Post': { 'List-Unsubscribe-Post': null },
  'a comma in From': { From: 'Berg, Tom <news@example.com>' },
  'forwarded for another domain': {
    Received:
      'from mail.example.com by mx.other.example for <a@other.example>; Fri, 20 Nov 2026 10:00:00 +0000',
  },
};

const keyOf = <T>(table: Readonly<Record<string, T>>) => fc.constantFrom(...Object.keys(table));

const mostly = <T>(usual: T, rare: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(usual) }, { weight: 3, arbitrary: rare });

const choices = fc.record({
  server: mostly('own server', keyOf(SERVERS)),
  terms: fc.constantFrom(...TERMS),
  isListed: fc.boolean(),
  end: fc.constantFrom('-all', '~all'),
  spf: mostly('right', keyOf(SPF_FAULTS)),
  policy: fc.constantFrom(...POLICIES),
  dmarc: mostly('right', keyOf(DMARC_FAULTS)),
  key: mostly('right', keyOf(KEY_RECORDS)),
  signer: mostly('', keyOf(SIGNERS)),
  change: fc.oneof(
    { weight: 6, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: keyOf(CHANGES) },
  ),
  isSigned: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
  headers: mostly('right headers', keyOf(HEADERS)),
  place: mostly('plain names', keyOf(PLACES)),
});

/** A TXT that concerns nobody here, and stays. */
const PROOF = 'site-verification=1';

/** A setup with several faults at once. */
export const randomSetup: fc.Arbitrary<Setup> = choices.map((all) => {
  const { server, terms, isListed, end, spf, policy, key, signer, change, isSigned, headers } = all;
  const { part, server: whose } = SERVERS[server] ?? { part: {} };
  const changes = SIGNERS[signer] ?? {};
  const { key: own = keys.rsa2048.key } = changes;
  const { p } = Object.values(keys).find((one) => one.key === own) ?? keys.rsa2048;
  const listed = whose === 'stranger' || !isListed ? terms : [...terms, `ip4:${IP}`];
  // If Subject is not signed, nothing shows that it was changed, and signing it does harm.
  const isHidden = signer === 'Subject not signed' && change === 'another subject';
  const alter = isHidden ? undefined : CHANGES[change];
  const zoneOf = (records: readonly string[]): Names => ({
    ...spfAround,
    ...othersAround,
    ...part.zone,
    'example.com': { ...ORIGIN, TXT: [PROOF, ...records] },
    ...dmarc(...(DMARC_FAULTS[all.dmarc]?.(policy) ?? [])),
    's1._domainkey.example.com': {
      TXT: (own === keys.rsa2048.key ? KEY_RECORDS[key]?.(p) : [recordOf(own)]) as string[],
    },
    's1._domainkey.mail.example.com': { TXT: [recordOf(own)] },
  });
  const forwarded = headers.startsWith('forwarded') && whose === 'stranger';
  const situation: Setup['situation'] = {
    mail: newsletter(HEADERS[headers]),
    ...part,
    signatures: isSigned ? [signature(changes)] : [],
    ...(alter && { alter }),
    zone: zoneOf(SPF_FAULTS[spf]?.(listed, end) ?? []),
  };
  const place = (one: Situation): Situation => PLACES[all.place]?.(one) ?? one;
  const placed = place(situation);
  // A stranger stays a stranger.
  const isSame = whose === undefined || placed.client === situation.client;
  return {
    name: Object.values({ ...all, change, terms: terms.join(' ') })
      .filter((one) => one !== '' && one !== 'right' && one !== 'plain names')
      .join(', '),
    hasLayers: true,
    situation: isSame ? placed : situation,
    others: sendersOf(listed),
    meant: place({ ...situation, zone: zoneOf(SPF_FAULTS.right?.(listed, end) ?? []) }).zone,
    ...((whose || forwarded || isForwarding(all.place)) && { server: 'stranger' as const }),
  };
});
