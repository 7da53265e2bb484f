import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { describe, expect, test } from 'vitest';
import { toMailauthResolver } from '../../src/adapters/mailauth/dns-bridge.ts';
import { dkimSignatureHeaders } from '../../src/analysis/dkim/parse.ts';
import { parseHeaderBlock } from '../../src/analysis/syntax/header-block.ts';
import { passPlainly } from '../../src/inspection/plain-pass.ts';
import {
  ARRIVAL,
  keyRecord,
  rightMail,
  sign,
  toBytes,
} from '../support/mail/inspection-environment.ts';
import { askZone } from '../tools/conformance/zone-resolver.ts';

const NAME = 's1._domainkey.example.com';

const body = 'Two  spaces, \ta tab, and space at the end \t\r\n \r\nlast line\r\n\r\n\r\n';
const spaced = `${rightMail.replace('Subject: Your order', 'Subject:  Your\r\n\torder ')}${body}`;

const short = generateKeyPairSync('rsa', { modulusLength: 512 }).publicKey;

const pass = (mail: string, record = keyRecord, at = ARRIVAL) => {
  const own = Buffer.from(toBytes(mail));
  const headers = dkimSignatureHeaders(parseHeaderBlock(own));
  return passPlainly(own, headers, at, askZone({ [NAME]: { TXT: [record] } }));
};

/** Whether the library lets every signature pass. */
async function passesThere(mail: string): Promise<boolean> {
  const resolver = toMailauthResolver(askZone({ [NAME]: { TXT: [keyRecord] } }));
  const options = { rejectRsaSha1: true, minBitLength: 1024, curTime: ARRIVAL, resolver };
  const { results } = await dkimVerify(Buffer.from(toBytes(mail)), options);
  return results.every(({ status }) => status.result === 'pass');
}

describe('a signature passes plainly', () => {
  test.each(['relaxed/relaxed', 'relaxed/simple', 'simple/relaxed', 'simple/simple'])(
    'with c=%s, as with the library',
    async (canonicalization) => {
      for (const mail of [
        spaced,
        rightMail,
        rightMail.slice(0, -2),
        `${rightMail.split('\r\n\r\n')[0]}\r\n\r\n`,
      ]) {
        const signed = await sign(mail, { canonicalization });
        expect(await passesThere(signed)).toBe(true);
        expect(await pass(signed)).toEqual([2048]);
      }
    },
  );

  test('beside a second one', async () => {
    const twice = await sign(await sign(spaced), { canonicalization: 'simple/simple' });
    expect(await pass(twice)).toEqual([2048, 2048]);
  });
});

describe('the library judges', async () => {
  const signed = await sign(spaced);
  test.each<[string, string, string?, string?]>([
    ['a mail without a signature', spaced],
    ['a changed body', signed.replace('last line', 'last lines')],
    ['a changed field that is signed', signed.replace('From: Shop', 'From: Chop')],
    [
      'a second field of a name that is signed',
      `From: other@example.com\r\n${signed}`.replace('From: Shop <news@example.com>', 'X-From: 1'),
    ],
    ['a line end of LF alone', signed.replace('last line\r\n', 'last line\n')],
    ['a line of the header that is no field', signed.replace('Subject:', 'no field\r\nSubject:')],
    ['a space before a colon', signed.replace('To:', 'To :')],
    ['a revoked key', signed, 'v=DKIM1; p='],
    ['a key of another version', signed, keyRecord.replace('DKIM1', 'DKIM2')],
    ['a key that is not for mail', signed, `${keyRecord}; s=tlsrpt`],
    ['a key for another hash', signed, `${keyRecord}; h=sha1`],
    ['a key of another type', signed, keyRecord.replace('k=rsa', 'k=ed25519')],
    [
      'a short key',
      signed,
      `v=DKIM1; p=${short.export({ type: 'spki', format: 'der' }).toString('base64')}`,
    ],
    ['one that has expired', await sign(spaced, { expires: new Date(Date.parse(ARRIVAL) - 1000) })],
    ['one over a part of the body', await sign(spaced, { maxBodyLength: 10 })],
  ])('%s', async (_, mail, record = keyRecord) => {
    expect(await pass(mail, record)).toBe(null);
  });
});

test('what passes plainly passes there, however a mail is changed', async () => {
  const signed = [await sign(spaced), await sign(spaced, { canonicalization: 'simple/simple' })];
  const pieces = fc.constantFrom(
    '',
    ' ',
    '  ',
    '\t',
    '\r\n',
    '\n',
    '\r',
    ':',
    ';',
    '=',
    'b=',
    'x',
    'X',
    'From: a@b.example\r\n',
    '\r\n ',
  );
  const change = fc.record({ at: fc.nat(), cut: fc.nat(2), piece: pieces });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...signed),
      fc.array(change, { maxLength: 2 }),
      async (mail, changes) => {
        const changed = changes.reduce((text, { at, cut, piece }) => {
          const from = at % text.length;
          return text.slice(0, from) + piece + text.slice(from + cut);
        }, mail);
        if ((await pass(changed)) !== null) expect(await passesThere(changed)).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});
