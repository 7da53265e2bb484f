/** Tests that DKIM and ARC results of the library are translated into our own results and reasons. */

import { sealMessage } from 'mailauth/lib/arc/index.js';
import { describe, expect, test } from 'vitest';
import { verifyMail } from '../../../src/adapters/mailauth/verify.ts';
import { selectSignatures } from '../../../src/analysis/dkim/parse.ts';
import type { DnsAnswer } from '../../../src/ports/dns.ts';
import type { MailJob } from '../../../src/ports/reading.ts';
import {
  ARRIVAL,
  keyRecord,
  keys,
  rightMail,
  sign,
  toBytes,
} from '../../support/mail/inspection-environment.ts';
import { scanHeaders } from '../../support/mail/scan-headers.ts';

type Keys = Readonly<Record<string, string | { readonly error: string } | null>>;

const NAME = 's1._domainkey.example.com';

/** Verifies with the right key at every name, unless told otherwise. */
const verify = async (mail: string, records: Keys = {}, job: Partial<MailJob> = {}) => {
  const asked: string[] = [];
  const bytes = toBytes(mail);
  const scan = scanHeaders(bytes.subarray(job.ownFrom ?? 0));
  const part = await verifyMail(
    bytes,
    {
      context: { receivedAt: ARRIVAL } as MailJob['context'],
      ownFrom: 0,
      signatures: selectSignatures(scan.dkimSignatures, scan.headerFrom.domain),
      verifyArc: scan.arcSets > 0,
      path: [],
      ...job,
    },
    async (name): Promise<DnsAnswer<unknown>> => {
      asked.push(name);
      const held = records[name] === undefined ? keyRecord : records[name];
      if (held === null) return { status: 'nxdomain', cnames: [] };
      if (typeof held === 'object') return { status: 'failed', error: held.error };
      return { status: 'found', records: [[held]], cnames: [] };
    },
  );
  expect(new TextDecoder().decode(bytes), 'the bytes are as they came').toBe(mail);
  return { ...part, asked };
};

const signed = await sign(rightMail);
const expired = await sign(rightMail, { expires: new Date('2026-11-20T10:00:04Z') });

describe('results in our words', () => {
  test.each<[string, string, Keys, string, string | null]>([
    ['a right one', signed, {}, 'pass', null],
    ['a changed body', signed.replace('Thank', 'Think'), {}, 'fail', 'body_hash_mismatch'],
    [
      'a changed header',
      signed.replace('Subject: Your', 'Subject: My'),
      {},
      'fail',
      'bad_signature',
    ],
    ['no key', signed, { [NAME]: null }, 'permerror', 'no_key'],
    ['a revoked key', signed, { [NAME]: 'v=DKIM1; p=' }, 'permerror', 'key_revoked'],
    ['a damaged key', signed, { [NAME]: 'v=DKIM1; p=AAAA' }, 'permerror', 'key_invalid'],
    ['a key for sha1', signed, { [NAME]: `${keyRecord}; h=sha1` }, 'permerror', 'key_invalid'],
    ['a key not for mail', signed, { [NAME]: `${keyRecord}; s=tls` }, 'permerror', 'key_invalid'],
    [
      'a key of another type',
      signed,
      { [NAME]: `v=DKIM1; k=ed25519; p=${'A'.repeat(43)}=` },
      'permerror',
      'key_invalid',
    ],
    ['DNS that fails', signed, { [NAME]: { error: 'SERVFAIL' } }, 'temperror', 'dns'],
    ['an expired one', expired, {}, 'fail', 'expired'],
    ['From not signed', signed.replace(': From;', ': Cc;'), {}, 'permerror', 'malformed'],
    ['no d=', signed.replace('d=example.com;', ''), {}, 'permerror', 'malformed'],
    [
      'an unknown algorithm',
      signed.replace('rsa-sha256', 'rsa-sha999'),
      {},
      'permerror',
      'malformed',
    ],
    [
      'i= elsewhere',
      signed.replace('q=dns/txt;', 'q=dns/txt; i=@example.net;'),
      {},
      'fail',
      'bad_signature',
    ],
  ])('%s', async (_, mail, records, result, reason) => {
    expect((await verify(mail, records)).signatures).toMatchObject([{ result, reason }]);
  });

  test('rsa-sha1 is a weak algorithm (RFC 8301 §3.1)', async () => {
    const mail = await sign(rightMail, { algorithm: 'rsa-sha1' });
    expect((await verify(mail)).signatures).toMatchObject([
      { result: 'policy', reason: 'weak_algorithm' },
    ]);
  });

  test('l= leaves an unsigned tail', async () => {
    const mail = `${await sign(rightMail, { maxBodyLength: 20 })}more\r\n`;
    const [signature] = (await verify(mail)).signatures;
    expect(signature).toMatchObject({ result: 'pass', bodyHash: 'match' });
    expect(signature?.unsignedTailBytes).toBeGreaterThan(20);
  });
});

test('each result belongs to its own field, even beside one that cannot be read', async () => {
  const unreadable = signed.replace('a=rsa-sha256', 'a=rsa-sha999').split('\r\nFrom:')[0];
  const twice = `${unreadable}\r\n${await sign(signed, { domain: 'example.net' })}`;
  const { signatures } = await verify(twice, { 's1._domainkey.example.net': null });
  expect(signatures.map(({ result, reason }) => [result, reason])).toEqual([
    ['permerror', 'malformed'],
    ['permerror', 'no_key'],
    ['pass', null],
  ]);
});

/** Adds white space to a signature where it has no meaning. */
const padded = (mail: string, characters: number) =>
  mail.replace(/\bb=/, `b=${' '.repeat(characters)}`);

test.each([
  [997, ['pass', null]],
  [999, ['policy', 'not_evaluated']],
])('a signature with %i spaces in a row', async (characters, verdict) => {
  const { signatures } = await verify(
    padded(await sign(signed, { domain: 'example.net' }), characters),
  );
  expect(signatures.map(({ result, reason }) => [result, reason])).toEqual([
    verdict,
    ['pass', null],
  ]);
});

test('ten signatures are verified, the From domain first, and twenty are kept', async () => {
  let mail = signed;
  for (let i = 0; i < 24; i += 1) mail = await sign(mail, { domain: `d${i}.example.net` });
  // The From domain's own signature is below all others, so it is moved up to the twentieth place.
  const [own = ''] = signed.split('From:');
  const { signatures, asked } = await verify(own + mail.replace(own, ''));
  expect(signatures).toHaveLength(20);
  expect(signatures[0]).toMatchObject({ result: 'pass' });
  expect(signatures.filter(({ reason }) => reason === 'not_evaluated')).toHaveLength(10);
  expect(new Set(asked).size).toBe(10);
});

describe('ARC', () => {
  const seal = async (mail: string, cv = 'none') =>
    (await sealMessage(Buffer.from(mail), {
      signingDomain: 'relay.example',
      selector: 's1',
      privateKey: keys.privateKey,
      authResults: 'mx.relay.example; spf=pass smtp.mailfrom=a@example.com; dkim=fail; dmarc=none',
      cv,
    } as never)) + mail;

  test('a correct chain passes, and its report is passed on', async () => {
    const { arc } = await verify(await seal(signed));
    expect(arc).toEqual({
      status: 'known',
      value: {
        report: {
          result: 'pass',
          sets: 1,
          chain: [
            {
              i: 1,
              domain: 'relay.example',
              selector: 's1',
              cv: 'none',
              result: 'pass',
              reported: { spf: 'pass', dkim: 'fail', dmarc: 'none' },
            },
          ],
        },
        sealer: 'relay.example',
        fault: null,
        passedBefore: [],
      },
    });
  });

  test.each<[string, (mail: string) => string, string]>([
    [
      'a changed body',
      (mail) => mail.replace('Thank', 'Think'),
      'the newest message signature does not verify',
    ],
    [
      'a wrong cv=',
      (mail) => mail.replace('cv=none', 'cv=pass'),
      'a cv= value does not match its place in the chain',
    ],
    [
      'a missing set',
      (mail) => mail.replaceAll('i=1;', 'i=2;'),
      'an instance is missing or out of order',
    ],
  ])('%s fails it', async (_, change, fault) => {
    const { arc } = await verify(change(await seal(signed)));
    expect(arc).toMatchObject({ value: { report: { result: 'fail' }, fault } });
  });

  test.each(['ARC-Seal', 'ARC-Message-Signature', 'ARC-Authentication-Results', 'DKIM-Signature'])(
    'white space without end in %s leaves the result unknown',
    async (name) => {
      const mail = (await seal(signed)).replace(
        new RegExp(`${name}:[^;]*;`),
        (begin) => begin + ' '.repeat(60_000),
      );
      const { arc, signatures } = await verify(mail);
      expect(arc).toMatchObject({ status: 'unknown' });
      expect(signatures).toMatchObject([{ result: name === 'DKIM-Signature' ? 'policy' : 'pass' }]);
    },
  );

  test('a key that does not answer leaves the result unknown', async () => {
    const records = { 's1._domainkey.relay.example': { error: 'TIMEOUT' } };
    expect((await verify(await seal(signed), records)).arc).toMatchObject({ status: 'unknown' });
  });

  test('a provider’s own seal is verified separately from the sender’s chain', async () => {
    const sealed = await seal(signed);
    const ownFrom = sealed.length - signed.length;
    expect(await verify(sealed, {}, { ownFrom })).toMatchObject({
      sealVerified: true,
      arc: { value: { report: { result: 'none' } } },
    });
    const broken = sealed.replace('mx.relay.example', 'mx.other.example');
    expect(await verify(broken, {}, { ownFrom })).toMatchObject({ sealVerified: false });
    expect(await verify(signed)).toMatchObject({ sealVerified: null });
  });
});
