/** Tests emails that an inbound provider delivers to the whole service. */

import { createTransport, type SendMailOptions } from 'nodemailer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isReport, type Report } from '../../src/domain/report/report.ts';
import { demoMail } from '../environment/mail.ts';
import { SENDER } from '../environment/sender.ts';
import { headerLines, providerHeaders } from '../support/mail/provider.ts';
import { type CreatedTest, type Stack, startStack } from '../support/process/stack.ts';

const TOKEN = 'a-secret-of-the-worker-0123456789';
const FROM = `orders@${SENDER.domain}`;

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ INBOUND_TOKEN: TOKEN });
});
afterAll(() => stack?.stop());

/** Returns the demo's email, signed, as bytes. */
const compose = ({ address }: CreatedTest) => toBytes(demoMail(address, stack.environment.key));

async function toBytes(mail: SendMailOptions): Promise<Buffer> {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return (await transport.sendMail(mail)).message as Buffer;
}

interface Attempt {
  readonly from?: string;
  /** The id of the email, by default a different one each time. */
  readonly id?: string;
}

/** Delivers the email with the headers that the provider would write above it. */
async function handOver(
  { address: to }: CreatedTest,
  mail: Buffer,
  { from = FROM, id = 'AbCdEf012345' }: Attempt = {},
) {
  const { ip, host: helo } = stack.environment.client;
  const headers = providerHeaders({ ip, helo, to, from });
  const received = headers.received.replace('AbCdEf012345', id);
  const response = await fetch(`${stack.http()}/inbound/cloudflare`, {
    method: 'POST',
    headers: {
      'content-type': 'message/rfc822',
      authorization: `Bearer ${TOKEN}`,
      'x-envelope-from': from,
      'x-envelope-to': to,
    },
    body: Buffer.concat([Buffer.from(headerLines({ ...headers, received })), mail]),
  });
  return { status: response.status, body: await response.json() };
}

test('an email through the provider gets its report, and a retry changes nothing', async () => {
  const created = await stack.create();
  const mail = await compose(created);
  expect(await handOver(created, mail)).toEqual({
    status: 200,
    body: { test_id: created.test_id, status: 'ready' },
  });
  expect(await handOver(created, mail, { id: 'another' })).toMatchObject({ status: 200 });

  const report = (await (await stack.pay(created)).json()) as Report;
  expect(isReport(report)).toBe(true);
  expect(report).toMatchObject({
    message: { size_bytes: mail.length },
    connection: { ip: SENDER.ip, helo: SENDER.host, source: 'received-spf', fcrdns: true },
    authentication: {
      spf: { result: 'pass' },
      dkim: [{ result: 'pass' }],
      dmarc: { result: 'pass' },
      arc: { sets: 0, provider_set_excluded: true },
    },
    cloudflare: { authserv_id: 'mx.cloudflare.net', spam_score: 1, seal_verified: false },
  });
  expect(report.findings.map(({ id }) => id)).toContain('inbound_verdict_mismatch');
});

test('the same email by SMTP has the same score', async () => {
  const [one, other] = [await stack.create(), await stack.create()];
  await handOver(one, await compose(one));
  await stack.send(other.address);
  const [inbound, direct] = await Promise.all(
    [one, other].map(async (created) => (await (await stack.pay(created)).json()) as Report),
  );
  expect(inbound?.score).toBe(direct?.score);
});

test('an email that the gate refuses is refused with the words of SMTP', async () => {
  const created = await stack.create();
  const { dkim: _, ...unsigned } = demoMail(created.address, stack.environment.key);
  const from = 'orders@unknown.example';
  expect(await handOver(created, await toBytes(unsigned), { from })).toMatchObject({
    status: 422,
    body: { smtp_reply: expect.stringMatching(/^550 5\.7\.26 Refused: SPF is none/) },
  });
  expect(await stack.status(created)).toMatchObject({ status: 'waiting', refusal: {} });
});

test('a crash before the email loses nothing, and the token is in no log', async () => {
  const created = await stack.create();
  const mail = await compose(created);
  await stack.kill();
  expect(await handOver(created, mail)).toMatchObject({ status: 200, body: { status: 'ready' } });
  expect(stack.log.join('\n')).not.toContain(TOKEN);
});
