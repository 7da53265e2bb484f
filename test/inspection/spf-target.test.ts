/** Tests the expansion of SPF macros. */

import { expect, test } from 'vitest';
import { checkHost } from '../../src/adapters/mailauth/check-host.ts';
import { createReader } from '../../src/analysis/spf/read-record.ts';
import { expandSpec as expand } from '../../src/inspection/spf-target.ts';
import type { SpfSender } from '../../src/ports/check-host.ts';
import { askZone } from '../lab/conformance/zone-resolver.ts';

const sender = {
  ip: '192.0.2.3',
  helo: 'mx.example.org',
  localPart: 'strong-bad',
  domain: 'email.example.com',
};

const ask = askZone({
  '3.2.0.192.in-addr.arpa': { PTR: ['mx.example.org'] },
  'mx.example.org': { A: ['192.0.2.3'] },
});
const expandSpec = (spec: string, domain: string, by: SpfSender) =>
  expand({ checkHost, ask, sender: by, read: createReader() }, spec, domain);

const six = { ...sender, ip: '2001:db8::cb01' };

// The examples of RFC 7208 §7.4.
test.each([
  ['%{s}', 'strong-bad@email.example.com'],
  ['%{l}.a', 'strong-bad.a'],
  ['%{l-}', 'strong.bad'],
  ['%{lr}.a', 'strong-bad.a'],
  ['%{lr-}', 'bad.strong'],
  ['%{l1r-}.a', 'strong.a'],
  ['%{lr-}.lp.%{ir}.sp._spf.%{d2}', 'bad.strong.lp.3.2.0.192.sp._spf.example.com'],
  ['%{p}.a', 'mx.example.org.a'],
  ['%{o}', 'email.example.com'],
  ['%{d}', 'email.example.com'],
  ['%{d4}', 'email.example.com'],
  ['%{d3}', 'email.example.com'],
  ['%{d2}', 'example.com'],
  ['%{d1}.a', 'com.a'],
  ['%{dr}', 'com.example.email'],
  ['%{d2r}', 'example.email'],
  ['%{ir}.%{v}._spf.%{d2}', '3.2.0.192.in-addr._spf.example.com'],
  ['%{I2}.%{H}.a', '2.3.mx.example.org.a'],
  ['%{d1r-.}.X%%%_%--.a', 'email.x% %20-.a'],
  ['plain.Example', 'plain.example'],
])('%s is %s', async (spec, expected) => {
  expect(await expandSpec(spec, sender.domain, sender)).toBe(expected);
});

test('an IPv6 address is expanded to its nibbles', async () => {
  expect(await expandSpec('%{ir}.%{v}._spf.%{d2}', sender.domain, six)).toBe(
    '1.0.b.c.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6._spf.example.com',
  );
  const mapped = { ...sender, ip: '::ffff:192.0.2.3' };
  expect(await expandSpec('%{i}.%{v}.a', sender.domain, mapped)).toBe('192.0.2.3.in-addr.a');
});

test('a domain-spec without a macro', async () => {
  expect(await expandSpec('%{c}.a', sender.domain, sender)).toBe(null);
});

test('RFC 8616 §4: a local part that is not ASCII matches nothing', async () => {
  const named = { ...sender, localPart: 'jürgen' };
  expect(await expandSpec('%{l}.a', sender.domain, named)).toBe(null);
  expect(await expandSpec('%{s}.a', sender.domain, named)).toBe(null);
  expect(await expandSpec('%{o}.a', sender.domain, named)).toBe('email.example.com.a');
});

test('RFC 7208 §4.3: the local part of a bounce is postmaster', async () => {
  expect(await expandSpec('%{l}.a', sender.domain, { ...sender, localPart: '' })).toBe(
    'postmaster.a',
  );
});

test('RFC 7208 §7.3: an upper-case letter escapes all but the unreserved characters', async () => {
  const named = { ...sender, localPart: "a!b'c(d)e*f/g~h" };
  expect(await expandSpec('%{L}.a', sender.domain, named)).toBe('a%21b%27c%28d%29e%2af%2fg~h.a');
});

test('other delimiters split, and dots join', async () => {
  const dashed = { ...sender, helo: 'a-b+c.d' };
  expect(await expandSpec('%{h2r-+}.a', sender.domain, dashed)).toBe('b.a.a');
  expect(await expandSpec('%{h-}.a', sender.domain, dashed)).toBe('a.b+c.d.a');
});

test('RFC 7208 §7.3: a name that is too long loses labels from the left', async () => {
  const long = `${'a'.repeat(60)}.`.repeat(5);
  const name = await expandSpec(`${long}%{d}`, sender.domain, sender);
  expect(name).toBe(`${`${'a'.repeat(60)}.`.repeat(3)}email.example.com`);
});
