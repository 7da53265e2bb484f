/** Tests what is read from the header block before an email is complete. */

import { expect, test } from 'vitest';
import { completeHeaders, completeLinks } from '../../../src/analysis/mail/read-mail.ts';
import { scanHeaders } from '../../support/mail/scan-headers.ts';
import { htmlMail, mail, read } from './mails.ts';

const SIGNATURE =
  'v=1; a=RSA-SHA256; c=relaxed/simple; d=Example.COM; s=Sel.One;\r\n' +
  ' h=From : To:subject:\r\n\tFrom; bh=abc=; l=12; t=100; x=200;\r\n i=secret@mail.example.com; b=abc';

test('the statements of a signature about itself', () => {
  const { dkimSignatures, furtherSignatures } = scanHeaders(mail({ 'DKIM-Signature': SIGNATURE }));
  expect(furtherSignatures).toEqual([]);
  expect(dkimSignatures).toEqual([
    {
      index: 0,
      domain: 'example.com',
      selector: 'sel.one',
      signedHeaders: ['from', 'to', 'subject', 'from'],
      identityDomain: 'mail.example.com',
      algorithm: 'rsa-sha256',
      canonicalization: 'relaxed/simple',
      timestamp: 100,
      expires: 200,
      bodyLength: 12,
      fault: null,
    },
  ]);
});

test.each([
  ['', { domain: null, selector: null, signedHeaders: [] }],
  ['d=exa mple; s=a', { domain: null, identityDomain: null }],
  ['d=example.com; d=evil.example; s=a', { domain: null }],
  ['__proto__=x; d=example.com; constructor=y', { domain: 'example.com' }],
  // The name is in UTF-8, as RFC 8616 §5 allows.
  ['d=k\xc3\xa4se.example; s=\xc3\xbc', { domain: 'xn--kse-qla.example', selector: 'xn--tda' }],
  [
    'd=example.com; l=-1; t=abc; x=99999999999999999',
    { bodyLength: null, timestamp: null, expires: null },
  ],
])('DKIM-Signature: %s', (value, facts) => {
  expect(scanHeaders(mail({ 'DKIM-Signature': value })).dkimSignatures[0]).toMatchObject(facts);
});

test('20 signatures are kept, but all are counted', () => {
  const scan = scanHeaders(mail({ 'DKIM-Signature': Array(30).fill(SIGNATURE) }));
  expect([scan.dkimSignatures.length, scan.furtherSignatures.length]).toEqual([20, 10]);
});

test('ARC sets are counted, and headers worth signing are listed', () => {
  const scan = scanHeaders(
    mail({ 'ARC-Seal': ['i=1', 'i=2'], 'X-Other': 'x', 'list-id': '<a.b>' }),
  );
  expect(scan.arcSets).toBe(2);
  expect(scan.signable).toContainEqual({ name: 'list-id', count: 1 });
  expect(scan.signable.map(({ name }) => name)).not.toContain('x-other');
});

test.each(['ARC-Seal', 'ARC-Message-Signature', 'ARC-Authentication-Results'])(
  'a set that consists only of its %s counts',
  (name) => {
    expect(scanHeaders(mail({ [name]: 'i=1' })).arcSets).toBe(1);
  },
);

test('the header block alone gives the same facts as the whole email', () => {
  const whole = mail({ 'DKIM-Signature': SIGNATURE });
  const scan = scanHeaders(whole);
  expect(scanHeaders(whole.subarray(0, scan.bodyOffset))).toEqual(scan);
  expect(whole.subarray(scan.bodyOffset).toString()).toMatch(/^Hello/);
});

const auth = { fromOrganizationalDomain: 'example.com', signingDomains: [] };

test('a signing domain makes a Message-ID related', () => {
  const { headers } = read(mail({ 'Message-ID': '<a@esp.test>' }));
  expect(completeHeaders(headers, 'example.com', auth).messageId.related).toBe(false);
  const signed = { ...auth, signingDomains: ['mail.esp.test'] };
  expect(completeHeaders(headers, 'example.com', signed).messageId.related).toBe(true);
});

test('the organization found by the tree walk counts as well as that of the Public Suffix List', () => {
  // A private suffix of the list, which its owner uses as one organization.
  const from = { From: 'a@shop.github.io', 'Reply-To': 'b@help.github.io' };
  const { headers } = read(mail(from));
  expect(headers.replyTo.sameOrganization).toBe(false);
  const walked = { ...auth, fromOrganizationalDomain: 'github.io' };
  const { replyTo } = completeHeaders(headers, 'shop.github.io', walked);
  expect(replyTo.sameOrganization).toBe(true);
  const { links } = read(htmlMail('<a href="https://help.github.io/">x</a>'));
  expect(completeLinks(links, 'shop.github.io', walked)).toMatchObject({
    underFromDomain: true,
    report: { domains: [{ aligned_with_from: true }] },
  });
});
