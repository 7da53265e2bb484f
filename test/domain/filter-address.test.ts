/** Tests which addresses of spam filters are in the operator's own network. */

import { expect, test } from 'vitest';
import { outsideOf, parseFilterAddress, parseFilterUrl } from '../../src/domain/filter-address.ts';

test.each([
  ['127.0.0.1:783', { host: '127.0.0.1', port: 783 }],
  ['localhost:783', { host: 'localhost', port: 783 }],
  ['10.20.30.40:1', { host: '10.20.30.40', port: 1 }],
  ['172.31.255.255:783', { host: '172.31.255.255', port: 783 }],
  ['192.168.0.1:783', { host: '192.168.0.1', port: 783 }],
  ['[::1]:783', { host: '::1', port: 783 }],
  ['[fd00::5]:783', { host: 'fd00::5', port: 783 }],
  ['/run/spamd.sock', { path: '/run/spamd.sock' }],
])('%s is an address in the own network', (text, address) => {
  expect(parseFilterAddress(text)).toEqual(address);
  expect(outsideOf(address)).toBeNull();
});

test.each([
  ['http://127.0.0.1:11333', { host: '127.0.0.1', port: 11333 }],
  ['http://127.0.0.1:11333/', { host: '127.0.0.1', port: 11333 }],
  ['http://2130706433:11333', { host: '127.0.0.1', port: 11333 }],
  ['http://10.0.0.1', { host: '10.0.0.1', port: 80 }],
  ['http://[::1]:11333', { host: '::1', port: 11333 }],
  ['unix:/run/rspamd.sock', { path: '/run/rspamd.sock' }],
])('%s is a URL in the own network', (text, address) => {
  expect(parseFilterUrl(text)).toEqual(address);
  expect(outsideOf(address)).toBeNull();
});

test.each([
  ['172.32.0.1:783', 'public'],
  ['[2001:db8::1]:783', 'other'],
  ['[64:ff9b::7f00:1]:783', 'other'],
  ['[::]:783', 'other'],
  ['100.64.0.1:783', 'other'],
  ['224.0.0.1:783', 'other'],
  ['127.0.0.1.example:783', 'host name'],
  ['localhost.example:783', 'host name'],
])('%s may lead outside: %s', (text, why) => {
  const address = parseFilterAddress(text);
  expect(address && outsideOf(address)).toBe(why);
});

test.each([
  ...['', '127.0.0.1', ':783', '127.0.0.1:0', '127.0.0.1:783 ', '::1:783', '[127.0.0.1]:783'],
  ...['a b:1', '127.0.0.1:783\r\nX: y', '/run/a\nb', 'run/spamd.sock', '//'.repeat(60)],
])('%j is not an address', (text) => {
  expect(parseFilterAddress(text)).toBeUndefined();
});

test.each([
  ...['', 'unix:run/x', 'http://127.0.0.1:1/a', 'http://127.0.0.1:1/?a', 'http://127.0.0.1:1/#a'],
  ...['https://127.0.0.1', 'ftp://127.0.0.1', 'http://a@127.0.0.1', 'http://'],
])('%j is not the URL of a filter', (text) => {
  expect(parseFilterUrl(text)).toBeUndefined();
});
