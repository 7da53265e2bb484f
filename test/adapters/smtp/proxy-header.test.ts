/** Tests how the line of the PROXY protocol is parsed. */

import { expect, test } from 'vitest';
import { readProxyLine } from '../../../src/adapters/smtp/proxy-header.ts';

test.each([
  ['TCP4 192.0.2.25 198.51.100.1 40123 25', '192.0.2.25'],
  ['TCP6 2001:DB8:0::1 2001:db8::2 40123 25', '2001:db8::1'],
  ['TCP6 ::ffff:192.0.2.25 ::ffff:198.51.100.1 40123 25', '192.0.2.25'],
  ['TCP6 ::ffff:c000:0219 ::1 40123 25', '192.0.2.25'],
  ['TCP4 255.255.255.255 255.255.255.255 65535 65535', '255.255.255.255'],
  ['UNKNOWN', 'unknown'],
  ['UNKNOWN 192.0.2.25 198.51.100.1 40123 25', 'unknown'],
])('PROXY %s names %s', (line, address) => {
  expect(readProxyLine(`PROXY ${line}\r\n`)).toBe(address);
});

test.each([
  ['a zone', 'PROXY TCP6 fe80::1%eth0 ::1 1 2\r\n'],
  ['another family', 'PROXY TCP4 2001:db8::1 2001:db8::2 1 2\r\n'],
  ['the other family', 'PROXY TCP6 192.0.2.1 192.0.2.2 1 2\r\n'],
  ['a mapped address as one of version 4', 'PROXY TCP4 ::ffff:192.0.2.1 192.0.2.2 1 2\r\n'],
  ['an address in another base', 'PROXY TCP4 0300.0.2.1 192.0.2.2 1 2\r\n'],
  ['a short address', 'PROXY TCP4 127.1 192.0.2.2 1 2\r\n'],
  ['a name', 'PROXY TCP4 localhost 127.0.0.1 1 2\r\n'],
  ['a target that is a name', 'PROXY TCP4 192.0.2.1 localhost 1 2\r\n'],
  ['a port too large', 'PROXY TCP4 192.0.2.1 192.0.2.2 1 65536\r\n'],
  ['a port below zero', 'PROXY TCP4 192.0.2.1 192.0.2.2 -1 25\r\n'],
  ['no ports', 'PROXY TCP4 192.0.2.1 192.0.2.2\r\n'],
  ['more at its end', 'PROXY TCP4 192.0.2.1 192.0.2.2 1 2 3\r\n'],
  ['two spaces', 'PROXY  TCP4 192.0.2.1 192.0.2.2 1 2\r\n'],
  ['a tab', 'PROXY\tTCP4 192.0.2.1 192.0.2.2 1 2\r\n'],
  ['small letters', 'proxy tcp4 192.0.2.1 192.0.2.2 1 2\r\n'],
  ['a bare LF', 'PROXY TCP4 192.0.2.1 192.0.2.2 1 2\n'],
  ['a CR within', 'PROXY UNKNOWN a\rb\r\n'],
  ['NUL', 'PROXY TCP4 192.0.2.1\0 192.0.2.2 1 2\r\n'],
  ['a word that only begins as UNKNOWN', 'PROXY UNKNOWNS\r\n'],
  ['another protocol', 'PROXY UDP4 192.0.2.1 192.0.2.2 1 2\r\n'],
  ['a command', 'EHLO mail.example.com\r\n'],
  ['nothing', ''],
])('%s names nobody', (_, line) => {
  expect(readProxyLine(line)).toBeUndefined();
});
