/** Tests what a report says about DKIM signatures and their key records. */

import { expect, test } from 'vitest';
import { lookUpKeys, toDkimFacts } from '../../src/inspection/dkim.ts';
import { verifyRaw } from '../lab/conformance/verify-raw.ts';
import { askZone, resolverOf } from '../lab/conformance/zone-resolver.ts';
import {
  type Mail,
  makeRsaKey,
  signDkim,
  type Tags,
  toBytes,
} from '../support/mail/dkim-arc-signer.ts';
import { scanHeaders } from '../support/mail/scan-headers.ts';

const key = makeRsaKey();
const other = makeRsaKey();
const plain: Mail = { fields: ['From: a@example.com', 'Subject: Hello'], body: 'Hello.\r\n' };

/** Returns what the report says about an email signed with `key` and the text at its selector. */
async function tell(tags: Tags, record: string, change = (mail: Mail): Mail => mail) {
  const mail = toBytes(change(signDkim(plain, key, tags)));
  const ask = askZone({ 'k._domainkey.example.com': { TXT: [record] } });
  const { signatures: verdicts } = await verifyRaw(mail, ask);
  const scan = scanHeaders(mail);
  const keys = await lookUpKeys(resolverOf(ask), scan.dkimSignatures);
  const context = { scan, verdicts, keys, answers: new Map(), arrivedAt: 1.8e12 };
  const [fact] = toDkimFacts(context).signatures;
  return {
    verdict: [fact?.report.result, fact?.report.reason ?? [], fact?.fault ?? []].flat().join(' '),
    faults: fact?.keyFaults.map(({ what, corrected }) => [what, corrected]),
  };
}

test.each([
  [`v=DKIM1; p=${key.p}`, 'pass'],
  // A record that breaks the grammar is not a key (RFC 6376 §6.1.2, step 5).
  [`v=dkim1; p=${key.p}`, 'permerror key_invalid'],
  [`;v=DKIM1; p=${key.p}`, 'permerror key_invalid'],
  [`v=DKIM1; P=${key.p}`, 'permerror key_invalid'],
  [`v=DKIM1; k=; p=${key.p}`, 'permerror key_invalid'],
  [`v=DKIM1;; p=${other.p}`, 'permerror key_invalid'],
  [`v=DKIM1; p=${other.p}`, 'fail bad_signature'],
  [`p=${key.p}; v=DKIM1`, 'pass'],
])('a key %s', async (record, verdict) => {
  expect(await tell({}, record)).toMatchObject({ verdict });
});

test.each([
  ['@example.com', 'pass', []],
  [null, 'pass', []],
  [
    '@mail.example.com',
    'permerror identity_not_under_domain',
    [['t=s allows no i= below d=', `v=DKIM1; k=rsa; p=${key.p}`]],
  ],
])('RFC 6376 §3.6.1: with t=s, i=%s is a %s', async (i, verdict, faults) => {
  expect(await tell({ i }, `v=DKIM1; t=y:s; p=${key.p}`)).toEqual({ verdict, faults });
});

test.each<[Tags, string]>([
  [{ v: '2' }, 'v= is not 1'],
  [{ bh: '' }, 'bh= is missing'],
  [{ a: 'rsa-md5' }, 'a= is not a DKIM algorithm'],
  [{ c: 'relaxed/future' }, 'c= is not a canonicalization'],
  [{ h: 'subject' }, 'From is not in h='],
  [{ q: 'dns' }, 'q= is not dns/txt'],
  [{ x: '1e9' }, 'x= is not a number'],
  [{ l: '9' }, 'l= is longer than the body'],
  [{ t: '1900000001', x: '1900000000' }, 'x= is before t='],
])('RFC 6376 §6.1.1: the malformation of %j is reported', async (tags, fault) => {
  const { verdict } = await tell(tags, `v=DKIM1; p=${key.p}`);
  expect(verdict).toBe(`permerror malformed ${fault}`);
});

test.each([
  ['v=1;', 'v=1;;', 'an empty tag'],
  ['v=1;', 'v=1; hello;', 'a tag without ='],
  ['v=1;', 'v=1; 1x=y;', 'a tag whose name is not valid'],
  ['v=1;', 'v=1; a=rsa-sha256;', 'a tag twice'],
])('RFC 6376 §3.2: %s made %s is %s', async (was, is, fault) => {
  const change = (mail: Mail) => ({
    ...mail,
    fields: mail.fields.map((field) => field.replace(was, is)),
  });
  const { verdict } = await tell({}, `v=DKIM1; p=${key.p}`, change);
  expect(verdict).toBe(`permerror malformed ${fault}`);
});
