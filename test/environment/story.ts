/**
 * Plays a test from its creation to the paid report, as a client would, and describes the report in
 * words.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { SendMailOptions } from 'nodemailer';
import type { Report } from '../../src/domain/report/report.ts';
import { scoreText } from '../../src/domain/report/score-text.mjs';
import { demoMail, sendMailPatiently } from './mail.ts';
import { payingFetch, receiptOf } from './payer.ts';
import type { SenderKey } from './sender.ts';

/** Longest time until the report exists, in milliseconds. An analysis ends within 25 s. */
const READY_MS = 60_000;

/** Splits `host:port` in two. */
export function toHostAndPort(address: string) {
  const [host = '', port = ''] = address.split(/:(?=\d+$)/);
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

interface Test {
  readonly test_id: string;
  readonly address: string;
  readonly read_token: string;
}

interface Options {
  /** The service's address. */
  readonly http: string;
  /** Address of the SMTP server, as `host:port`. */
  readonly smtp: string;
  /** The private key that pays. */
  readonly payer: `0x${string}`;
  /** An email to send instead of the demo's. */
  readonly mail?: Buffer | undefined;
  /** Signs the demo's own email. */
  readonly key?: SenderKey;
  /** The server that the email is said to come from. Default: this machine. */
  readonly client?: { readonly ip: string; readonly host: string };
  /** Called with each step, in words for people. */
  readonly print: (text: string) => void;
}

/** Runs a whole test as a client does. Returns the report that was paid for. */
export async function runStory(options: Options): Promise<Report> {
  const { http, print } = options;
  print('1. Ask for a one-time address (POST /v1/tests, free).');
  const test = (await json(await fetch(`${http}/v1/tests`, { method: 'POST' }), 201)) as Test;
  print(`   address     ${test.address}`);
  print(`   test_id     ${test.test_id}`);
  print('   read_token  (returned once; kept by the caller)');
  return finishTest(test, options);
}

/** Does the same from the second step on. */
export async function finishTest(
  test: Test,
  { http, smtp, payer, mail, key, client, print }: Options,
): Promise<Report> {
  print(`2. Send one real email to it by SMTP${key && !mail ? ', signed with DKIM' : ''}.`);
  const via = { ...toHostAndPort(smtp), ...(client && { client }) };
  const content = mail ? ownMail(test.address, mail) : demoMail(test.address, key);
  print(`   reply       ${await sendMailPatiently(content, via).catch(explainRefusal)}`);

  print('3. Poll the status (free).');
  await untilReady(`${http}/v1/tests/${test.test_id}/status`, print);

  print('4. Read the report without paying.');
  const url = `${http}/v1/report?test_id=${test.test_id}`;
  const headers = { 'X-Read-Token': test.read_token };
  const unpaid = await fetch(url, { headers });
  if (unpaid.ok) {
    print('   200 OK: reports are free here');
    return (await json(unpaid, 200)) as Report;
  }
  const { accepts } = (await json(unpaid, 402)) as {
    accepts: { amount: string; network: string }[];
  };
  print(`   402 Payment Required: ${usdc(accepts[0]?.amount)}, by x402 version 2`);

  print('5. Pay with the official client (@x402/fetch) and read again.');
  const paid = await payingFetch(payer, accepts[0]?.network ?? '')(url, { headers });
  const report = (await json(paid, 200)) as Report;
  print(`   200 OK, settled in transaction ${receiptOf(paid)?.transaction}`);
  return report;
}

/** Describes the report in words for people. */
export function describeReport(report: Report): string {
  const { top_fixes, findings, suggestions } = report;
  const count = (severity: string) => findings.filter((one) => one.severity === severity).length;
  const fixes = top_fixes.map(
    ({ title, fix }, index) =>
      `   ${index + 1}. ${title}\n      ${fix.replaceAll('\n', '\n      ')}`,
  );
  return [
    '',
    `Score ${scoreText(report).sentence}.`,
    `${findings.length} findings: ${count('pass')} pass, ${count('info')} info, ${count('warn')} warn, ${count('fail')} fail; ${suggestions.length} suggestions.`,
    top_fixes.length > 0 ? 'Fix first:' : 'Nothing to fix.',
    ...fixes,
  ].join('\n');
}

/** The user's own email, from the sender that it names. */
function ownMail(to: string, raw: Buffer): SendMailOptions {
  const head = raw.toString('latin1', 0, 65_536).split(/\r?\n\r?\n/, 1)[0] ?? '';
  const from = head.match(/^(?:Return-Path|From):[ \t]*(.*(?:\r?\n[ \t].*)*)/im)?.[1] ?? '';
  const address = from.match(/[^\s<>"(),]+@[^\s<>"(),]+/)?.[0] ?? '';
  return { envelope: { from: address, to }, raw };
}

/** The email was refused. The server's reply is the result, not a fault of the demo. */
export class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError';
}

function explainRefusal(error: Error & { readonly response?: string }): never {
  if (!error.response) throw error;
  throw new MailRefusedError(`The server refused the email: ${error.response}`, { cause: error });
}

/** USDC has six decimals. */
const usdc = (atomicUnits: bigint | string | undefined) => `${Number(atomicUnits) / 1e6} USDC`;

async function untilReady(url: string, print: (text: string) => void): Promise<void> {
  const deadline = Date.now() + READY_MS;
  let last = '';
  for (;;) {
    const { status, refusal } = (await json(await fetch(url), 200)) as {
      status: string;
      refusal?: unknown;
    };
    if (status !== last) print(`   ${status}`);
    if (refusal) print(`   ${JSON.stringify(refusal)}`);
    if (status === 'ready') return;
    if (status !== 'waiting' && status !== 'processing')
      throw new Error(`The test ended: ${status}.`);
    if (Date.now() > deadline) throw new Error('There was no report in time.');
    last = status;
    await sleep(100);
  }
}

/** Returns the body of a response that must have this status. */
async function json(response: Response, status: number): Promise<unknown> {
  const text = await response.text();
  if (response.status !== status)
    throw new Error(`${response.url} answered ${response.status}, not ${status}: ${text}`);
  return JSON.parse(text);
}
