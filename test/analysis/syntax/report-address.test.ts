/** Tests how addresses for DMARC and TLS reports are read, and how mistyped ones are corrected. */

import { expect, test } from 'vitest';
import {
  correctAddress,
  intendedAddresses,
  parseReportAddress,
  splitAddresses,
  takesTlsReports,
} from '../../../src/analysis/syntax/report-address.ts';
import { cpuTime } from '../../support/process/cpu-time.ts';

type Row = readonly [
  text: string,
  parsed: Partial<ReturnType<typeof parseReportAddress>>,
  takesTls: boolean,
  corrected: string | null,
];

const mailbox = { uri: 'mailto:d@x.example', scheme: 'mailto', isUri: true, host: 'x.example' };

test.each<Row>([
  ['mailto:d@x.example', { ...mailbox, hasSize: false }, true, 'mailto:d@x.example'],
  ['MAILTO:d@X.example', { scheme: 'mailto', host: 'x.example' }, true, 'mailto:d@X.example'],
  ['mailto:d+dmarc@x.example', { host: 'x.example' }, true, 'mailto:d+dmarc@x.example'],
  ['mailto:d@x.example?subject=a@b', { host: 'x.example' }, true, 'mailto:d@x.example?subject=a@b'],
  // RFC 7489 §6.2 has a size limit, which RFC 9990 removed and RFC 8460 never had.
  ['mailto:d@x.example!10m', { ...mailbox, hasSize: true }, false, 'mailto:d@x.example'],
  ['mailto:d@x.example!50', { ...mailbox, hasSize: true }, false, 'mailto:d@x.example'],
  ['mailto:d@x.example!10mb', { isUri: false, hasSize: false, host: null }, false, null],
  // A comma or an exclamation mark inside has to be percent-encoded.
  ['mailto:d!x@x.example', { isUri: false, host: null }, false, null],
  ['mailto:d%21x@x.example', { isUri: true, host: 'x.example' }, true, 'mailto:d%21x@x.example'],
  ['mailto:d%2@x.example', { isUri: false, host: null }, false, null],
  // Near misses, which can be corrected if they name a mailbox.
  ['d@x.example', { isUri: false, scheme: null, host: null }, false, 'mailto:d@x.example'],
  ['d@x.example!10m', { hasSize: true, scheme: null }, false, 'mailto:d@x.example'],
  ['mailto: d@x.example', { isUri: false, scheme: 'mailto' }, false, 'mailto:d@x.example'],
  ['mailto://d@x.example', { isUri: true, host: 'x.example' }, true, 'mailto:d@x.example'],
  ['mailto:mailto:d@x.example', { isUri: true, host: null }, false, 'mailto:d@x.example'],
  ['mailto:d', { isUri: true, scheme: 'mailto', host: null }, false, null],
  ['mailto:d@', { isUri: true, host: null }, false, null],
  ['mailto:@x.example', { isUri: true, host: null }, false, null],
  ['mailto:d@e@x.example', { isUri: true, host: null }, false, null],
  ['mailto:<d@x.example>', { isUri: false, host: null }, false, null],
  ['mailto:<img/src=x>@x.example', { isUri: false, host: null }, false, null],
  [
    'mailto:d@exämple.example',
    { isUri: false, host: null },
    false,
    'mailto:d@xn--exmple-cua.example',
  ],
  ['d', { isUri: false, scheme: null }, false, null],
  ['', { isUri: false, scheme: null }, false, null],
  [`mailto:${'d'.repeat(500)}@x.example`, { host: 'x.example' }, true, null],
  // URLs of servers instead of mailboxes.
  [
    'https://x.example/r',
    { isUri: true, scheme: 'https', host: null },
    true,
    'https://x.example/r',
  ],
  ['https://', { isUri: true, scheme: 'https', host: null }, false, 'https://'],
  ['http://x.example/r', { isUri: true, scheme: 'http', host: null }, false, 'http://x.example/r'],
])('the report address %j is read and corrected', (text, parsed, takesTls, corrected) => {
  expect(parseReportAddress(text)).toMatchObject(parsed);
  expect(takesTlsReports(text)).toBe(takesTls);
  expect(correctAddress(text)?.replace(/^mailto/i, 'mailto') ?? null).toBe(corrected);
});

test.each([
  ['mailto:a@x.example, mailto:b@x.example,', ['mailto:a@x.example', 'mailto:b@x.example']],
  ['mailto:a@x.example mailto:b@x.example', ['mailto:a@x.example mailto:b@x.example']],
  ['', []],
])('a list is separated by commas: %j', (value, addresses) => {
  expect(splitAddresses(value)).toEqual(addresses);
});

test.each([
  ['mailto:a@x.example mailto: b@x.example', ['mailto:a@x.example', 'mailto:b@x.example']],
  ['a@x.example,\tb@x.example', ['a@x.example', 'b@x.example']],
])('a list is intended even with white space: %j', (value, addresses) => {
  expect(intendedAddresses(value)).toEqual(addresses);
});

test('long addresses and lists are read in linear time', () => {
  const long = [
    `mailto:${'d@'.repeat(50_000)}`,
    `mailto:d@${'x.'.repeat(50_000)}!`,
    '1'.repeat(100_000),
  ];
  for (const text of long) expect(cpuTime(() => parseReportAddress(text)).ms).toBeLessThan(1000);
  expect(intendedAddresses('a@x.example '.repeat(10_000))).toHaveLength(100);
});
