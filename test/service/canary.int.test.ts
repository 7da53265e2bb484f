/** Tests that no word of an email and no secret is found anywhere outside of memory. */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SendMailOptions } from 'nodemailer';
import { expect, test } from 'vitest';
import { newSenderKey, SENDER, senderZone } from '../environment/sender.ts';
import { startStack } from '../support/process/stack.ts';
import { startCollector } from '../support/telemetry/collector.ts';

/** Returns a word that only the email contains; `place` tells which part has leaked. */
const canary = (place: string) => `canary${place}q7x`;

const places = [
  'body',
  'html',
  'subject',
  'name',
  'from',
  'envelope',
  'replyto',
  'file',
  'content',
  'path',
  'query',
  'header',
  'mailer',
  'feedback',
  'precedence',
  'submitted',
  'list',
  'name-of-header',
  'subtype',
  'cid',
  'unknown',
  'token',
  'signature',
] as const;

const mail: SendMailOptions = {
  from: { name: canary('name'), address: `${canary('from')}@${SENDER.domain}` },
  envelope: { from: `${canary('envelope')}@${SENDER.domain}`, to: [] },
  replyTo: `${canary('replyto')}@${SENDER.domain}`,
  subject: canary('subject'),
  text: `${canary('body')} https://www.${SENDER.domain}/${canary('path')}?q=${canary('query')}`,
  html: `<p>${canary('html')} <a href="https://www.${SENDER.domain}/${canary('path')}">link</a></p>`,
  headers: {
    'X-Campaign': canary('header'),
    'X-Mailer': canary('mailer'),
    'Feedback-ID': canary('feedback'),
    Precedence: canary('precedence'),
    'Auto-Submitted': canary('submitted'),
    'List-Id': canary('list'),
    [`X-${canary('name-of-header')}`]: 'x',
    'List-Unsubscribe': `<https://www.${SENDER.domain}/${canary('path')}>`,
  },
  attachments: [
    { filename: `${canary('file')}.txt`, content: canary('content') },
    {
      filename: `.${canary('file')}`,
      content: 'x',
      contentType: `application/${canary('subtype')}`,
      cid: `${canary('cid')}@${SENDER.domain}`,
    },
  ],
};

/** Returns every form in which the bytes of a word may have been kept. */
const forms = (word: string) => [
  word,
  Buffer.from(word).toString('base64').slice(0, -4),
  Buffer.from(word).toString('hex'),
];

async function filesOf(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile());
  const texts = files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1'));
  return (await Promise.all(texts)).join('\n');
}

test('nothing of an email or a secret is in the data folder, the log, the report, a response, a metric or a span', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'canary-'));
  const collector = await startCollector();
  const stack = await startStack({
    DATA_DIR: dataDir,
    LOG_LEVEL: 'trace',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  });
  const said: string[] = [];
  const send = async (to: string, change: SendMailOptions = {}) => {
    const envelope = { from: `${canary('envelope')}@${SENDER.domain}`, to };
    const reply = stack.send(to, { ...mail, envelope, ...change });
    said.push(await reply.catch((error: Error) => error.message));
  };

  const created = await stack.create();
  await send(created.address);
  await send(created.address, { subject: `${canary('subject')} again` });
  await send(`${canary('unknown')}@in.example.net`);
  const paid = await stack.pay(created);
  said.push(await paid.text());

  const refused = await stack.create();
  stack.environment.dns?.setZone({ ...senderZone(newSenderKey()), [SENDER.domain]: {} });
  await send(refused.address);
  said.push(JSON.stringify(await stack.status(refused)));
  await send(refused.address, { raw: `X-Long: ${canary('header').repeat(9000)}\r\n\r\n` });

  for (const headers of [
    { 'x-read-token': canary('token') },
    { 'payment-signature': canary('signature') },
  ])
    said.push(await (await stack.read(created, headers)).text());
  said.push(await (await fetch(`${stack.metrics()}/metrics`)).text());
  await stack.stop();
  await collector.stop();

  const stored = await filesOf(dataDir);
  await rm(dataDir, { recursive: true });
  expect(said.some((text) => text.startsWith('250'))).toBe(true);
  expect(said.some((text) => text.includes('550 5.7.26'))).toBe(true);
  expect(said.some((text) => text.includes('554 5.6.0'))).toBe(true);
  expect(said.some((text) => text.includes('deliverability_mails_total{outcome='))).toBe(true);
  expect(stored).toContain('MailRefused');

  expect(collector.spans().map(({ name }) => name)).toContain('settlement');
  const everything = {
    spans: collector.texts.join('\n'),
    stored,
    log: stack.log.join('\n'),
    said: said.join('\n'),
  };
  const secrets = [created.read_token, stack.environment.chain.hotWallet.privateKey];
  for (const [where, text] of Object.entries(everything)) {
    for (const place of places)
      for (const form of forms(canary(place)))
        expect(text.includes(form), `${place} in ${where}`).toBe(false);
    for (const secret of secrets) expect(text.includes(secret), `a secret in ${where}`).toBe(false);
  }
});
