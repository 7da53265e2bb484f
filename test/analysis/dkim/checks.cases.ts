/** Cases for each state of the DKIM checks. */

import type { DkimFact } from '../../../src/analysis/dkim/facts.ts';
import type { Facts } from '../../../src/analysis/facts.ts';
import { unknown } from '../../../src/analysis/lookup-result.ts';
import { type Part, signed } from '../../support/mail/facts.ts';
import type { Case } from '../case.ts';

const dkim = (...signatures: DkimFact[]): Part<Facts> => ({
  dkim: { value: { signatures, total: signatures.length } },
});
const one = (part: Part<DkimFact>) => dkim(signed(part));
const report = (part: Part<DkimFact['report']>) => one({ report: part });

const good = signed();
const broken = signed({ report: { result: 'fail', reason: 'bad_signature' } });
const foreign = { report: { domain: 'esp.example', aligned: false }, ofFromDomain: false } as const;
const foreignGood = signed(foreign);
const foreignBroken = signed({
  ...foreign,
  report: { ...foreign.report, result: 'fail', reason: 'body_hash_mismatch' },
});
const silent = signed({ report: { result: 'temperror', reason: 'dns', key: null } });
const unread = signed({ report: { result: 'policy', reason: 'not_evaluated' } });

const rsa = (bits: number) => ({ report: { key_bits: bits, key: { bits } } });
const ed25519 = {
  report: { selector: 'ed', algorithm: 'ed25519-sha256', key_bits: 256, key: { type: 'ed25519' } },
} as const;
const noKey = signed({
  report: { result: 'permerror', reason: 'no_key', key: null, key_bits: null },
});

const keyFault = (severity: 'fail' | 'warn', corrected: string | null = null) =>
  one({ keyFaults: [{ severity, what: 'the key is revoked', corrected }] });

export const dkimCases: readonly Case[] = [
  ['dkim_present', 'pass 0'],
  ['dkim_present', 'fail 22', dkim()],
  ['dkim_present', 'unknown', { dkim: unknown('dkim: a body line is too long') }],

  ['dkim_valid', 'pass 0'],
  ['dkim_valid', 'pass 0', dkim(good, foreignGood)],
  ['dkim_valid', 'info 0', dkim(good, foreignBroken)],
  ['dkim_valid', 'warn 3', dkim(good, broken)],
  ['dkim_valid', 'warn 3', dkim(foreignGood, broken)],
  ['dkim_valid', 'fail 22', dkim(broken)],
  ['dkim_valid', 'fail 22', dkim(broken, foreignBroken)],
  ['dkim_valid', 'unknown', dkim(silent)],
  ['dkim_valid', 'unknown', dkim(broken, unread)],
  ['dkim_valid', 'pass 0', dkim(good, silent, unread)],
  ['dkim_valid', 'unknown', dkim(foreignGood, silent)],

  ['dkim_key_size', 'pass 0', one(rsa(2048))],
  ['dkim_key_size', 'warn 3', one(rsa(2047))],
  ['dkim_key_size', 'warn 3', one(rsa(1024))],
  ['dkim_key_size', 'fail 12', one(rsa(1023))],
  ['dkim_key_size', 'pass 0', one(ed25519)],
  ['dkim_key_size', 'pass 0', dkim(signed(rsa(1024)), signed(ed25519))],
  ['dkim_key_size', 'warn 3', dkim(signed(rsa(1024)), foreignGood)],
  ['dkim_key_size', 'left out', dkim(noKey)],
  [
    'dkim_key_size',
    'unknown',
    dkim(signed({ report: { result: 'temperror', key_bits: null, key: null } })),
  ],

  ['dkim_algorithm', 'pass 0'],
  ['dkim_algorithm', 'pass 0', dkim(good, signed(ed25519))],
  ['dkim_algorithm', 'warn 19', one(ed25519)],
  [
    'dkim_algorithm',
    'pass 0',
    dkim(signed(ed25519), signed({ report: { domain: 'mail.sender.example' } })),
  ],
  ['dkim_algorithm', 'warn 19', dkim(signed(ed25519), foreignGood)],
  ['dkim_algorithm', 'fail 20', report({ algorithm: 'rsa-sha1', result: 'policy' })],
  ['dkim_algorithm', 'left out', report({ algorithm: null, result: 'permerror' })],
  ['dkim_algorithm', 'unknown', dkim(unread)],

  ['dkim_expired', 'pass 0'],
  ['dkim_expired', 'pass 0', one({ lifetimeSeconds: 3600 })],
  ['dkim_expired', 'warn 1', one({ lifetimeSeconds: 3599 })],
  ['dkim_expired', 'fail 10', one({ expired: true, lifetimeSeconds: 3599 })],
  ['dkim_expired', 'fail 10', one({ fromFuture: true })],

  ['dkim_length_tag', 'pass 0'],
  ['dkim_length_tag', 'warn 4', report({ length_limited: true, unsigned_tail_bytes: 0 })],
  ['dkim_length_tag', 'fail 6', report({ length_limited: true, unsigned_tail_bytes: 1 })],

  ['dkim_headers_signed', 'pass 0'],
  ['dkim_headers_signed', 'info 0', report({ from_oversigned: false })],
  ['dkim_headers_signed', 'warn 2', one({ unsignedHeaders: ['reply-to'] })],
  ['dkim_headers_signed', 'fail 8', report({ signed_headers: ['to', 'date'] })],
  [
    'dkim_headers_signed',
    'left out',
    dkim(signed({ report: { signed_headers: undefined } as object })),
  ],

  ['dkim_key_testing', 'pass 0'],
  ['dkim_key_testing', 'warn 3', report({ key: { testing: true } })],
  ['dkim_key_testing', 'left out', dkim(noKey)],
  ['dkim_key_testing', 'unknown', dkim(silent)],

  ['dkim_key_record', 'pass 0'],
  ['dkim_key_record', 'warn 1', keyFault('warn', 'v=DKIM1; k=rsa; p=MIIB')],
  ['dkim_key_record', 'fail 10', keyFault('fail')],
  ['dkim_key_record', 'left out', dkim(noKey)],
  ['dkim_key_record', 'unknown', dkim(silent)],

  ['dkim_canonicalization', 'pass 0'],
  ['dkim_canonicalization', 'pass 0', report({ canonicalization: 'relaxed/simple' })],
  ['dkim_canonicalization', 'info 0 suggest', report({ canonicalization: 'simple/relaxed' })],
  ['dkim_canonicalization', 'left out', report({ canonicalization: null })],
];
