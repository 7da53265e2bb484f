/** Tests how the Received field of a trusted relay is read and removed from an email. */

import { expect, test } from 'vitest';
import { takeRelayField } from '../../src/actors/receiver/relay-field.ts';
import type { ClientFacts } from '../../src/ports/mail.ts';

const OWN = 'From: shop@example.com\r\nSubject: Order\r\n\r\nThank you.\r\n';
const HOP = 'Received: by app.example.com; Fri, 20 Nov 2026 10:00:58 +0000\r\n';

/** Returns the field as Postfix writes it above an email. */
const postfix = (ip: string, how = '(Postfix) with ESMTPS id 4X1') =>
  `Received: from mail.example.com (mail.example.com [${ip}])\r\n\tby mx.example.net ${how}\r\n\tfor <a@in.example.net>; Fri, 20 Nov 2026 10:00:59 +0000 (UTC)\r\n`;

const WITH_TLS = `(Postfix) with ESMTPS id 4X1\r\n\t(using TLSv1.3 with cipher TLS_AES_256_GCM_SHA384 (256/256 bits))`;

const forwarded = (ip: string | null): ClientFacts => ({
  ip,
  helo: 'mail.example.com',
  source: ip === null ? 'unknown' : 'xclient',
  namedBy: 'xforward',
  tls: { status: 'not_observable', version: null, cipher: null },
});

/** Returns the content and the TLS facts that are left when the email arrives in packets of a given size. */
async function take(text: string, client: ClientFacts, packet = 1000) {
  async function* packets() {
    for (let at = 0; at < text.length; at += packet) yield Buffer.from(text.slice(at, at + packet));
  }
  const { content, client: seen } = await takeRelayField(packets(), client);
  let left = '';
  for await (const chunk of content) left += Buffer.from(chunk).toString();
  return { left, tls: seen.tls };
}

const IP = '192.0.2.25';

test.each([
  ['its first field', postfix(IP), forwarded(IP), HOP],
  ['in any spelling', postfix('IPv6:2001:DB8:0::1'), forwarded('2001:db8::1'), HOP],
  ['without a client', postfix(IP), forwarded(null), HOP],
  ['of its own email', HOP, forwarded(null), ''],
])('a relay’s field is removed: %s', async (_, field, client, below) => {
  for (const packet of [1, 7, 1000])
    expect((await take(field + below + OWN, client, packet)).left).toBe(below + OWN);
});

test.each([
  ['of another client', postfix('192.0.2.26') + OWN, forwarded(IP)],
  ['that is not the first', `X-Note: 1\r\n${postfix(IP)}${OWN}`, forwarded(IP)],
  ['that never ends', `Received: from x ([${IP}])${'\r\n by x'.repeat(2000)}`, forwarded(IP)],
  ['that is all there is', postfix(IP), forwarded(IP)],
  ['of an email without fields', `\r\n${postfix(IP)}`, forwarded(IP)],
  ['of a client behind a proxy', postfix(IP) + OWN, { ...forwarded(IP), namedBy: 'proxy' }],
  ['of a client that no relay names', postfix(IP) + OWN, { ...forwarded(IP), namedBy: undefined }],
  ['of nothing', '', forwarded(IP)],
] as const)('a field stays: %s', async (_, text, client) => {
  for (const packet of [1, 1000])
    expect((await take(text, client as ClientFacts, packet)).left).toBe(text);
});

test.each([
  ['with its version', WITH_TLS, { status: 'tls', version: 'TLSv1.3', cipher: null }],
  ['an old one', WITH_TLS.replace('1.3', '1'), { status: 'tls', version: 'TLSv1.0', cipher: null }],
  ['without a version', '(Postfix) with ESMTPS id 1', forwarded(IP).tls],
  ['none, which may not have been offered', '(Postfix) with ESMTP id 1', forwarded(IP).tls],
  ['claimed in words alone', '(TLSv1.3) with ESMTP id 1', forwarded(IP).tls],
])('the field says which TLS the client used: %s', async (_, how, tls) => {
  expect((await take(postfix(IP, how) + OWN, forwarded(IP))).tls).toEqual(tls);
  expect((await take(postfix(IP, how) + OWN, forwarded(null))).tls).toEqual(forwarded(null).tls);
});

test('everything that was read is overwritten, and an email that breaks off stays incomplete', async () => {
  const chunk = Buffer.from(postfix(IP) + OWN);
  async function* breaksOff() {
    yield chunk;
    throw new Error('gone');
  }
  const { content } = await takeRelayField(breaksOff(), forwarded(IP));
  await expect(async () => {
    for await (const _ of content);
  }).rejects.toThrow('gone');
  expect(chunk.every((byte) => byte === 0)).toBe(true);
});
