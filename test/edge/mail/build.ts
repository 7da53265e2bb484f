/** Builds hostile emails and their parts: signatures, nested structures, archives and links. */

import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';

export const MIB = 1024 * 1024;

/** Hash of the body `x`, so that short emails are verified up to their key. */
export const BODY_HASH = createHash('sha256').update('x\r\n').digest('base64');

export const signature = (more = '', n = 0) =>
  `v=1; a=rsa-sha256; c=relaxed/relaxed; d=d${n}.example; s=s; h=from; bh=${BODY_HASH}; b=AAAA${more}`;

/** The usual fields, signed, so that the verifier plays its part in every email. */
const FIELDS: Readonly<Record<string, string>> = {
  'DKIM-Signature': signature(),
  From: 'Shop <news@example.com>',
  To: 'abcdefghijkl@in.example.net',
  Subject: 'Your order',
  Date: 'Fri, 20 Nov 2026 11:00:00 +0000',
  'Message-ID': '<1@example.com>',
  'MIME-Version': '1.0',
};

type Values = Readonly<Record<string, string | readonly string[]>>;

/**
 * Builds an email with these and the usual fields. Characters are bytes. A list sends its field several
 * times.
 */
export const mail = (fields: Values, body: string): Buffer => {
  const lines = Object.entries({ ...FIELDS, ...fields }).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}`),
  );
  return Buffer.from(`${[...lines, '', body].join('\r\n')}\r\n`, 'latin1');
};

export const fill = (text: string, bytes: number) => text.repeat(Math.ceil(bytes / text.length));
export const times = (count: number, of: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => of(n));

export const arcSet = (n: number): string =>
  [
    `ARC-Seal: i=${n}; a=rsa-sha256; cv=${n === 1 ? 'none' : 'pass'}; d=a${n}.example; s=s; b=AAAA`,
    `ARC-Message-Signature: i=${n}; a=rsa-sha256; d=a${n}.example; s=s; h=from; bh=AAAA; b=AAAA`,
    `ARC-Authentication-Results: i=${n}; x; spf=pass`,
  ].join('\r\n');

export const html = (body: string) => mail({ 'Content-Type': 'text/html; charset=utf-8' }, body);

export const charset = (name: string, body: string | Buffer) =>
  mail({ 'Content-Type': `text/html; charset=${name}` }, body.toString('latin1'));

export const nested = (depth: number): Buffer => {
  let body = 'Content-Type: text/plain\r\n\r\ndeep';
  for (let n = depth; n > 0; n -= 1)
    body = `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n${body}\r\n--b${n}--`;
  const [type = '', ...rest] = body.split('\r\n');
  return mail({ 'Content-Type': type.replace('Content-Type: ', '') }, rest.slice(1).join('\r\n'));
};

/** Builds a ZIP with one entry that unpacks to 100 MiB. */
export const zipBomb = (): Buffer => {
  const packed = deflateRawSync(Buffer.alloc(100 * MIB));
  const local = Buffer.alloc(31, 'x');
  local.write('PK\x03\x04', 0, 'latin1');
  local.writeUInt16LE(1, 26);
  local.writeUInt16LE(0, 28);
  const central = Buffer.alloc(47, 'x');
  central.write('PK\x01\x02', 0, 'latin1');
  central.writeUInt16LE(1, 28);
  central.writeUInt32LE(0, 30);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length + packed.length, 16);
  const file = Buffer.concat([local, packed, central, end]).toString('base64');
  const name = 'application/zip; name="a.zip"';
  return mail({ 'Content-Type': name, 'Content-Transfer-Encoding': 'base64' }, file);
};

/** Targets that URL parsers confuse, or on which they fail. */
export const HREFS = [
  'https://%00',
  'https://[::1',
  'https://[::ffff:1.2.3.4%25eth0]/',
  'https://a\u202eb.example/',
  'https://xn--/',
  'https://\ud800/',
  'javascript:alert(1)',
  'data:text/html,x',
  '//[',
  'https://@@@/',
  'https://1.2.3.4.5.6/',
  'https://0x7f.1/',
  'https://a:99999/',
  'file:///etc/passwd',
  'https:\\\\a\\b',
  'mailto:%',
  'https://user:pass@a.example/',
  'https://a..b/',
  ' https://a.example ',
  '\0https://a/',
];

/** Returns one signature for each way of hashing a body that one email may request. */
export const everyHash = (body: string): Buffer =>
  mail(
    {
      'DKIM-Signature': ['simple', 'relaxed'].flatMap((c) =>
        ['', '; l=1000000', '; l=2000000'].map(
          (l) => `v=1; a=rsa-sha256; c=simple/${c}; d=x.example; s=s; h=from; bh=AAAA; b=AAAA${l}`,
        ),
      ),
    },
    body,
  );
