/** Runs the cases for the From field as a suite. */

import { scanHeaders } from '../../support/mail/scan-headers.ts';
import { differs, type Suite } from './suite.ts';

/** The expected result of a From field: the one domain to which an email can be held, or none. */
const cases: readonly (readonly [name: string, fields: string, domain: string | null])[] = [
  ['an address as display name', 'From: "a@good.example" <b@evil.example>', 'evil.example'],
  ['an address before the angles', 'From: a@good.example <b@evil.example>', 'evil.example'],
  ['an address in a comment', 'From: b@evil.example (a@good.example)', 'evil.example'],
  ['a comment before the address', 'From: (a@good.example) b@evil.example', 'evil.example'],
  ['nested comments', 'From: b(c(d@good.example))@(e)evil.example', 'evil.example'],
  ['a quoted local part with an @', 'From: "a@good.example"@evil.example', 'evil.example'],
  ['a quoted pair', String.raw`From: "a\"@good.example" <b@evil.example>`, 'evil.example'],
  [
    'an encoded-word that decodes to an address',
    'From: =?utf-8?q?a=40good.example_=3Ca=40good.example=3E?= <b@evil.example>',
    'evil.example',
  ],
  ['a route', 'From: <@good.example:b@evil.example>', 'evil.example'],
  ['a fold inside the address', 'From: b@\r\n evil.example', 'evil.example'],
  ['a space before the colon', 'From : b@evil.example', 'evil.example'],
  ['another case of the name', 'fROM: b@evil.example', 'evil.example'],
  ['a dot at the end', 'From: b@evil.example.', 'evil.example'],
  ['a U-label', 'From: b@bücher.example', 'xn--bcher-kva.example'],
  ['a group', 'From: Us: a@evil.example, b@evil.example;', 'evil.example'],
  ['two angles', 'From: <a@good.example><b@evil.example>', null],
  ['an angle that never closes', 'From: <a@good.example', null],
  ['a quote that never closes', 'From: "a <b@evil.example>', null],
  ['two fields', 'From: a@good.example\r\nFrom: b@evil.example', null],
  ['two authors of two domains', 'From: a@good.example, b@evil.example', null],
  ['no field', 'To: a@good.example', null],
  ['an empty field', 'From:', null],
  ['an empty address', 'From: <>', null],
  ['an empty group', 'From: Undisclosed:;', null],
  ['a domain literal', 'From: a@[192.0.2.1]', null],
  ['an address of an IP', 'From: a@192.0.2.1', null],
  ['no local part', 'From: @good.example', null],
  ['no domain', 'From: a', null],
  ['an empty label', 'From: a@good..example', null],
  ['a NUL between two', 'From: a@good.example\0<b@evil.example>', null],
  ['a line of its own that looks like one', 'Subject: x\r\n From: a@good.example', null],
];

export const fromSuite: Suite = {
  name: 'From, hostile (our cases)',
  cases: cases.map(([name, fields, domain]) => ({
    name,
    run: async () => {
      const mail = Buffer.from(`${fields}\r\n\r\nbody\r\n`, 'utf8');
      return differs(scanHeaders(mail).headerFrom.domain, [domain]);
    },
  })),
  excepted: {},
};
