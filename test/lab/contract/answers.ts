import type { SendMailOptions } from 'nodemailer';
import { demoMail, sendMail } from '../../environment/mail.ts';
import type { CreatedTest, Stack } from '../../support/process/stack.ts';
import { mails, refused } from './mails.ts';
import type { Observer } from './observer.ts';

const TESTS = '/v1/tests';
const ONE = '/v1/tests/{test_id}';
const STATUS = '/v1/tests/{test_id}/status';
const REPORT = '/v1/report';

/** Reads of each report that is paid for, and polls of each status. */
const READS = 14;

/** The whole way of so many mails through a live service, every answer kept against the document. */
export async function observeMails(stack: Stack, { ask }: Observer, count: number): Promise<void> {
  const base = stack.http();
  const create = async (init: RequestInit = {}) =>
    JSON.parse((await ask(base + TESTS, TESTS, { method: 'POST', ...init })).text) as CreatedTest;
  const poll = (id: string, headers = {}) =>
    ask(`${base}/v1/tests/${id}/status`, STATUS, { headers });
  const read = (id: string, token?: string, more = {}) => {
    const headers = { ...(token && { 'x-read-token': token }), ...more };
    return ask(`${base}/v1/report?test_id=${id}`, REPORT, { headers });
  };
  const del = (id: string, token?: string) => {
    const headers = { ...(token && { 'x-read-token': token }) };
    return ask(`${base}/v1/tests/${id}`, ONE, { method: 'DELETE', headers });
  };
  const send = (to: string, change: SendMailOptions) => {
    const mail = { ...demoMail(to, stack.environment.key), ...change };
    if (change !== refused) return stack.send(to, change);
    const { dkim: _, ...unsigned } = mail;
    return sendMail(
      { ...unsigned, envelope: { from: 'a@unknown.example', to } },
      { ...stack.smtp(), client: stack.environment.client },
    ).catch(String);
  };

  for (const change of [...mails.slice(0, count), refused]) {
    const { test_id, address, read_token } = await create();
    await poll(test_id);
    await read(test_id, read_token);
    const waiting = poll(test_id, { prefer: 'wait=30' });
    await send(address, change);
    await waiting;
    await read(test_id);
    await read(test_id, 'wrong');
    await read(test_id, read_token);
    if (change !== refused) {
      const paid = await stack.pay({ test_id, address, read_token });
      if (paid.status !== 200) throw new Error(`A report was not sold: ${paid.status}.`);
    }
    for (let n = 0; n < READS; n++) await Promise.all([read(test_id, read_token), poll(test_id)]);
    await read(test_id, read_token, { 'payment-signature': 'no payment' });
    await del(test_id);
    await del(test_id, 'wrong');
    await del(test_id, read_token);
    await del(test_id, read_token);
    await poll(test_id);
    await read(test_id, read_token);
  }
  await malformed(base, ask, create);
}

/** What a client does wrong, and what is the same for everybody. */
async function malformed(
  base: string,
  ask: Observer['ask'],
  create: (init: RequestInit) => Promise<unknown>,
): Promise<void> {
  const json = { 'content-type': 'application/json' };
  await create({ body: '[]', headers: json });
  await create({ body: '{', headers: json });
  await create({ body: 'a=b', headers: { 'content-type': 'text/plain' } });
  await create({ body: JSON.stringify({ a: 'b'.repeat(20_000) }), headers: json });
  await ask(`${base}/v1/tests/NO/status`, STATUS);
  await ask(`${base}/v1/tests/NO`, ONE, { method: 'DELETE', headers: { 'x-read-token': 'a' } });
  await ask(`${base}/v1/tests/samplereport/status`, STATUS);
  await ask(`${base}/v1/report?test_id=samplereport`, REPORT);
  const signature = { 'payment-signature': 'no payment' };
  await ask(`${base}/v1/report?test_id=samplereport`, REPORT, { headers: signature });
  for (const path of ['/sample-report.json', '/findings', '/method'])
    await ask(base + path, path, { headers: { accept: 'application/json' } });
  const { text } = await ask(`${base}/findings`, '/findings');
  const { findings } = JSON.parse(text) as { findings: readonly { id: string }[] };
  for (const { id } of [...findings, { id: 'nothing' }])
    await ask(`${base}/findings/${id}`, '/findings/{id}');
}
