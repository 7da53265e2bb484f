/** Tests the whole service, from the creation of a test to the paid report. */

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { isReport, type Report } from '../../src/domain/report/report.ts';
import { decodeHeader } from '../../src/domain/x402-headers.ts';
import { newSenderKey, SENDER, senderZone } from '../environment/sender.ts';
import { type Stack, startStack } from '../support/process/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.stop());
afterEach(() => stack.environment.dns?.setZone(senderZone(stack.environment.key)));

/** Creates a test, sends its email, pays, and returns the report. */
async function analysed(change = {}): Promise<Report> {
  const created = await stack.create();
  await stack.send(created.address, change);
  const response = await stack.pay(created);
  const report = (await response.json()) as Report;
  expect(response.status, JSON.stringify(report)).toBe(200);
  return report;
}

const severity = (report: Report, id: string) =>
  report.findings.find((finding) => finding.id === id)?.severity;

test('create, send, poll, 402, pay, 200; a second read is free', async () => {
  const created = await stack.create();
  expect(created).toMatchObject({ status: 'waiting' });
  expect(await stack.status(created)).toMatchObject({ status: 'waiting' });
  expect((await stack.read(created)).status).toBe(409);

  expect(await stack.send(created.address)).toMatch(/^250 2\.0\.0 Your email was analysed/);
  expect(await stack.status(created)).toMatchObject({ status: 'ready' });

  const before = await stack.income();
  const unpaid = await stack.read(created);
  expect(unpaid.status).toBe(402);
  expect(decodeHeader(unpaid.headers.get('payment-required') ?? '')).toMatchObject({
    x402Version: 2,
    accepts: [{ network: 'eip155:8453', amount: '50000', payTo: stack.environment.chain.payTo }],
  });
  expect(await stack.income()).toBe(before);

  const paid = await stack.pay(created);
  const report = await paid.json();
  expect(isReport(report)).toBe(true);
  const receipt = decodeHeader(paid.headers.get('payment-response') ?? '');
  expect(receipt).toMatchObject({ success: true, network: 'eip155:8453' });
  expect(await stack.income()).toBe(before + 50_000n);

  const again = await stack.read(created);
  expect([again.status, await again.json()]).toEqual([200, report]);
  expect(await stack.income()).toBe(before + 50_000n);
});

test('the metrics show tests by state and how full each stream is', async () => {
  await stack.create();
  const read = async () => (await fetch(`${stack.metrics()}/metrics`)).text();
  await expect.poll(read).toMatch(/^deliverability_tests\{state="waiting"\} [1-9]/m);
  const text = await read();
  for (const stream of ['TESTS', 'REPORTS', 'PAYMENTS']) {
    expect(text).toMatch(
      new RegExp(`^deliverability_stream_bytes\\{stream="${stream}"\\} \\d+$`, 'm'),
    );
    expect(text).toMatch(
      new RegExp(`^deliverability_stream_max_bytes\\{stream="${stream}"\\} [1-9]\\d*$`, 'm'),
    );
  }
});

test('the report shows what the sender’s DNS and email say', async () => {
  const report = await analysed();
  expect(report.authentication).toMatchObject({
    spf: { result: 'pass', domain: SENDER.domain },
    dkim: [
      {
        domain: SENDER.domain,
        selector: SENDER.selector,
        result: 'pass',
        aligned: true,
        key_bits: 2048,
      },
    ],
    dmarc: { result: 'pass', policy: 'none' },
    arc: { result: 'none' },
    bimi: { result: 'none' },
  });
  expect(report.connection).toMatchObject({
    ip: SENDER.ip,
    helo: SENDER.host,
    source: 'xclient',
    ptr: [SENDER.host],
    fcrdns: true,
    spamcop: 'not_listed',
  });
  expect(report.transport_policy).toMatchObject({ domain: SENDER.domain });
  expect(report.links).toMatchObject({ status: 'not_checked', total: 1 });
  expect(report.score).toBeGreaterThanOrEqual(90);
  expect(report.top_fixes.map(({ id }) => id)).toContain('dmarc_policy');
  expect(report.findings.length).toBeGreaterThanOrEqual(25);
  expect(report.partial_errors).toBeUndefined();
});

test('with another key in the DNS, the signature no longer verifies', async () => {
  stack.environment.dns?.setZone(senderZone(newSenderKey()));
  const report = await analysed();
  expect(report.authentication.dkim).toMatchObject([{ result: 'fail', reason: 'bad_signature' }]);
  expect(severity(report, 'dkim_valid')).toBe('fail');
});

test.each([
  ['no PTR', { '25.2.0.192.in-addr.arpa': null }, 'rdns_ptr', 'fail'],
  ['no DMARC', { '_dmarc.sender.example': null }, 'dmarc_record', 'fail'],
  [
    'a softfail',
    { 'sender.example': { TXT: ['v=spf1 ~all'], MX: ['10 mail.sender.example'] } },
    'spf_result',
    'warn',
  ],
  ['no SPF', { 'sender.example': { MX: ['10 mail.sender.example'] } }, 'spf_record', 'fail'],
  ['a listing', { '25.2.0.192.bl.spamcop.net': { A: ['127.0.0.2'] } }, 'spamcop_listed', 'fail'],
] as const)('%s in the DNS becomes a finding', async (_name, change, id, expected) => {
  const { dns, key } = stack.environment;
  const entries = Object.entries({ ...senderZone(key), ...change });
  dns?.setZone(Object.fromEntries(entries.filter((entry) => entry[1] !== null)) as never);
  const report = await analysed();
  expect(severity(report, id)).toBe(expected);
});

test('an email that fails both SPF and DKIM is refused and may be sent again, corrected', async () => {
  const { dns, key } = stack.environment;
  const created = await stack.create();
  dns?.setZone({ ...senderZone(newSenderKey()), [SENDER.domain]: { TXT: ['v=spf1 -all'] } });
  await expect(stack.send(created.address)).rejects.toThrow(/550[ -]5\.7\.26/);
  expect(await stack.status(created)).toMatchObject({
    status: 'waiting',
    refusal: { reasons: [{ code: 'spf_and_dkim_failed' }] },
  });
  expect((await stack.read(created)).status).toBe(409);

  dns?.setZone(senderZone(key));
  expect(await stack.send(created.address)).toMatch(/^250/);
  expect(await stack.status(created)).toMatchObject({ status: 'ready' });
});

test('an unknown test, a second email and a wrong token change nothing', async () => {
  const created = await stack.create();
  await expect(stack.send('abcdefgh2345@in.example.net')).rejects.toThrow(/550[ -]5\.1\.1/);
  await stack.send(created.address);
  await expect(stack.send(created.address, { subject: 'Another one' })).rejects.toThrow(
    /550[ -]5\.7\.1/,
  );
  expect((await stack.read({ ...created, read_token: 'x'.repeat(43) })).status).toBe(403);
  expect(await stack.status(created)).toMatchObject({ status: 'ready' });
});
