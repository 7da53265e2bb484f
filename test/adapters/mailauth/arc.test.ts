/** Tests the verification of ARC chains, and which statements of their sets are passed on. */

import type { ARCChainEntry, ARCResult } from 'mailauth';
import { expect, test } from 'vitest';
import { toArcFacts } from '../../../src/adapters/mailauth/arc-facts.ts';
import type { Zone } from '../../environment/dns-zone.ts';
import { verifyRaw } from '../../lab/conformance/verify-raw.ts';
import { askZone } from '../../lab/conformance/zone-resolver.ts';
import {
  type ArcSet,
  fieldsOf,
  type Mail,
  makeArcSet,
  makeRsaKey,
  type SealOptions,
  signDkim,
  type Tags,
  toBytes,
  withArc,
} from '../../support/mail/dkim-arc-signer.ts';

const key = makeRsaKey();

const mail: Mail = {
  fields: ['From: a@example.com', 'To: b@example.net', 'Subject: Hello'],
  body: 'Hello, environment.\r\n',
};

const good: Zone = { 'k._domainkey.example.net': { TXT: [`v=DKIM1; p=${key.p}`] } };

/** Returns a chain with one hop per option. Each hop signs the email as it is. */
function chainOf(...hops: readonly SealOptions[]): ArcSet[] {
  const sets: ArcSet[] = [];
  for (const hop of hops) sets.push(makeArcSet(mail, sets, key, hop));
  return sets;
}

const [first] = chainOf({}) as [ArcSet];
const two = chainOf({}, {});

async function arcOf(whole: Mail, zone: Zone = good) {
  const { arc } = await verifyRaw(toBytes(whole), askZone(zone));
  return arc.status === 'known' ? arc.value.report : { result: 'unknown', sets: 0 };
}

/** Everything else about chains is in ValiMail's suite, `test/lab/conformance`. */
test('50 sets pass, as RFC 8617 §4.2.1 allows', async () => {
  const many = chainOf(...Array.from({ length: 50 }, () => ({})));
  expect(await arcOf(withArc(mail, many))).toMatchObject({ result: 'pass', sets: 50 });
});

test('an email without a set has the result none', async () => {
  expect(await arcOf(mail)).toEqual({ result: 'none', sets: 0 });
});

test.each<[name: string, fields: readonly string[]]>([
  ['§4.2.1: i=51', fieldsOf(chainOf({ sealTags: { i: '51' } })[0] ?? first)],
  ['§4.1.3: a seal with h=', fieldsOf(chainOf({ sealTags: { h: 'from' } })[0] ?? first)],
])('%s: fail', async (_, fields) => {
  const { result } = await arcOf({ ...mail, fields: [...fields, ...mail.fields] });
  expect(result).toBe('fail');
});

test('the newest hop may have changed what came before it', async () => {
  const before = { ...mail, body: 'Before.\r\n' };
  const old = makeArcSet(before, [], key);
  const sets = [old, makeArcSet(mail, [old], key)];
  expect((await arcOf(withArc(mail, sets))).result).toBe('pass');
});

test.each<[name: string, zone: Zone, result: string]>([
  ['no key', {}, 'fail'],
  ['a revoked key', { 'k._domainkey.example.net': { TXT: ['v=DKIM1; p='] } }, 'fail'],
  ['SERVFAIL', { 'k._domainkey.example.net': 'SERVFAIL' }, 'unknown'],
  ['a time-out', { 'k._domainkey.example.net': 'TIMEOUT' }, 'unknown'],
])('%s: %s', async (_, zone, result) => {
  expect((await arcOf(withArc(mail, two), zone)).result).toBe(result);
});

test('the key that did not answer is named, no matter which hop sealed last', async () => {
  const later = makeArcSet(mail, [first], key, {
    sealTags: { d: 'example.org' },
    signatureTags: { d: 'example.org' },
  });
  const zone: Zone = {
    'k._domainkey.example.net': 'SERVFAIL',
    'k._domainkey.example.org': { TXT: [`v=DKIM1; p=${key.p}`] },
  };
  const { arc } = await verifyRaw(toBytes(withArc(mail, [first, later])), askZone(zone));
  expect(arc).toEqual({
    status: 'unknown',
    error: 'dns: TXT k._domainkey.example.net: no answer',
  });
});

test('a chain signed with an unreadable c= is unknown', async () => {
  const sets = chainOf({ signatureTags: { c: '/relaxed' } });
  const signed = signDkim(mail, key, { d: 'example.net' });
  const { arc, signatures } = await verifyRaw(toBytes(withArc(signed, sets)), askZone(good));
  expect(arc).toEqual({
    status: 'unknown',
    error: 'arc: not evaluated: a signature cannot be read',
  });
  expect(signatures).toMatchObject([{ result: 'pass' }]);
});

test.each<[name: string, tags: readonly Tags[], why: string]>([
  ['more signatures than are verified', Array(11).fill({}), 'too many DKIM signatures'],
  [
    'more lengths than are hashed',
    [{ l: '1' }, { l: '2' }, { l: '3' }],
    'too many DKIM signatures',
  ],
  ['a signature that cannot be read', [{ c: '/' }], 'a signature cannot be read'],
])('a chain is not evaluated together with %s', async (_, all, why) => {
  let signed = withArc(mail, [first]);
  for (const tags of all) signed = signDkim(signed, key, tags);
  const { arc } = await verifyRaw(toBytes(signed), askZone(good));
  expect(arc).toEqual({ status: 'unknown', error: `arc: not evaluated: ${why}` });
});

test('the report of each hop is passed on as words', async () => {
  expect(await arcOf(withArc(mail, two))).toMatchObject({
    chain: [
      { i: 1, domain: 'example.net', cv: 'none', reported: { spf: 'pass', dkim: 'fail' } },
      { i: 2, domain: 'example.net', cv: 'pass', result: 'pass' },
    ],
  });
});

test('a word of an address that looks like a verdict is left out', () => {
  const original = Buffer.from(
    'i=1; mx.example.net; dkim=pass header.i="a; spf=secret"@example.com',
  );
  const entry = { i: 1, 'arc-authentication-results': { original } } as unknown as ARCChainEntry;
  const facts = toArcFacts({ status: { result: 'pass' } } as ARCResult, [entry], []);
  expect(facts).toMatchObject({
    value: { report: { chain: [{ reported: { spf: null, dkim: 'pass', dmarc: null } }] } },
  });
});

test('a sealer given in U-labels is reported in A-labels (RFC 8616 §5)', async () => {
  const names = { d: 'käse.example', s: 'schlüssel' };
  const sets = chainOf({ sealTags: names, signatureTags: names });
  const zone = {
    'xn--schlssel-95a._domainkey.xn--kse-qla.example': { TXT: [`v=DKIM1; p=${key.p}`] },
  };
  expect(await arcOf(withArc(mail, sets), zone)).toMatchObject({
    result: 'pass',
    chain: [{ domain: 'xn--kse-qla.example', selector: 'xn--schlssel-95a' }],
  });
});

test.each([
  ['\ufb00.example', 'xn--im6c.example'],
  ['\u00fc.example.com/.example', 'xn--tda.example.com/.example'],
])('a sealer that looks like another name is left out: %s', async (d, asked) => {
  const sets = chainOf({ sealTags: { d }, signatureTags: { d } });
  const zone = { [`k._domainkey.${asked}`]: { TXT: [`v=DKIM1; p=${key.p}`] } };
  expect(await arcOf(withArc(mail, sets), zone)).toMatchObject({
    result: 'pass',
    chain: [{ domain: '' }],
  });
});
