/**
 * Tests the MCP server with the oldest and newest clients of MCP and x402. Each does the whole job, gets
 * every refusal with its code, and pays once.
 */

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { isReport } from '../../src/domain/report/report.ts';
import { PROGRAM_ENV, programOf } from '../environment/compile-cache.ts';
import { type Connected, mcpClients, type ToolAnswer, wallets } from '../support/mcp/clients.ts';
import { type CreatedTest, type Stack, startStack } from '../support/process/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.stop());

const main = programOf('src/client/main.ts');
const key = () => stack.environment.chain.payer.privateKey;

const stdio = (env: Readonly<Record<string, string>> = {}) => ({
  command: process.execPath,
  args: [main, 'mcp', '--budget', '1'],
  env: { ...PROGRAM_ENV, DELIVERABILITY_URL: stack.http(), ...env },
});

/**
 * Ways in which a client reaches the tools. Over stdio, either the client's own wallet pays or the user's.
 */
const transports = {
  HTTP: () => new URL(`${stack.http()}/mcp`),
  stdio: () => stdio(),
  'stdio with a wallet': () => stdio({ DELIVERABILITY_KEY: key() }),
};

type Transport = keyof typeof transports;
type McpVersion = keyof typeof mcpClients;

const pairs = Object.keys(mcpClients).flatMap((version) =>
  Object.keys(transports).map(
    (transport) => [version as McpVersion, transport as Transport] as const,
  ),
);

async function open(version: McpVersion, transport: Transport): Promise<Connected> {
  const connected = await mcpClients[version](transports[transport]());
  onTestFinished(() => connected.close());
  return connected;
}

const accessOf = ({ test_id, read_token }: CreatedTest) => ({ test_id, read_token });

const codeOf = ({ structuredContent: { code, error } = {} }: ToolAnswer) =>
  code ?? (error as { readonly code?: string } | undefined)?.code;

/** Calls a paid tool, and signs if it requires a payment. */
async function payFor(
  { call }: Connected,
  name: string,
  args: object,
  wallet: keyof typeof wallets,
) {
  const asked = await call(name, args);
  if (!asked.isError) return asked;
  expect(codeOf(asked)).toBe('payment_required');
  const payment = await wallets[wallet](key()).sign(asked.structuredContent);
  return call(name, args, { 'x402/payment': payment });
}

describe.each(pairs)('%s over %s', (version, transport) => {
  test('the whole job: a test, an email, a report that is paid for once, and a deletion', async () => {
    const connected = await open(version, transport);
    const { call } = connected;
    const created = (await call('create_test')).structuredContent as unknown as CreatedTest;
    await stack.send(created.address);
    const waited = await call('wait_for_result', { test_id: created.test_id });
    expect(waited.structuredContent).toMatchObject({ status: 'ready' });
    const before = await stack.income();
    const access = accessOf(created);

    const read = await payFor(connected, 'read_report', access, 'x402 2.27');
    expect(read.isError, read.content[0]?.text).toBeFalsy();
    expect(read._meta?.['x402/payment-response']).toMatchObject({ success: true });
    expect(read.structuredContent).toMatchObject({ score: expect.any(Number) });
    const whole = await call('read_report', { ...access, detail: 'whole' });
    expect(isReport(JSON.parse(whole.content[0]?.text ?? ''))).toBe(true);
    expect((await call('delete_test', access)).structuredContent).toEqual({
      test_id: created.test_id,
    });
    expect(await stack.income()).toBe(before + 50_000n);
  });

  test('one tool does the whole job, even for the oldest wallet', async () => {
    const connected = await open(version, transport);
    const begun = (await connected.call('test_mail')).structuredContent as unknown as CreatedTest;
    await stack.send(begun.address);
    const before = await stack.income();
    const done = await payFor(connected, 'test_mail', accessOf(begun), 'x402 2.0');
    expect(done.structuredContent).toMatchObject({
      stage: 'ready',
      verdict: { grade: expect.any(String) },
    });
    const again = await connected.call('test_mail', accessOf(begun));
    expect(again.structuredContent).toMatchObject({ stage: 'ready' });
    expect(await stack.income()).toBe(before + 50_000n);
  });

  test('every refusal arrives with its code', async () => {
    const { call, tools } = await open(version, transport);
    const created = (await call('create_test')).structuredContent as unknown as CreatedTest;
    const access = accessOf(created);
    const stranger = { test_id: 'aaaaaaaaaaaa', read_token: 'x' };
    const refusals = await Promise.all([
      call('explain_finding', { id: 'nowhere' }),
      call('explain_finding', { id: '../method' }),
      call('explain_finding'),
      call('wait_for_result', { test_id: 'aaaaaaaaaaaa' }),
      call('wait_for_result', { test_id: created.test_id, seconds: 51 }),
      call('read_report', access),
      call('read_report', { ...access, read_token: 'wrong' }),
      call('read_report', { ...access, detail: 'all' }),
      call('read_report', access, { 'x402/payment': 'not base64!' }),
      call('read_report', access, { 'x402/payment': 7 }),
      call('read_report', stranger),
      call('test_mail', stranger),
      call('test_mail', { test_id: created.test_id }),
      call('delete_test', stranger),
      call('delete_test', { ...access, read_token: 'wrong' }),
    ]);
    expect(refusals.map(codeOf)).toEqual([
      'not_found',
      'invalid_request',
      'invalid_request',
      'test_not_found',
      'invalid_request',
      'report_not_ready',
      'wrong_read_token',
      ...Array.from({ length: 3 }, () => 'invalid_request'),
      'test_not_found',
      'test_not_found',
      'invalid_request',
      'test_not_found',
      'wrong_read_token',
    ]);
    for (const { isError, content } of refusals)
      expect([isError, content[0]?.text]).toEqual([true, expect.stringMatching(/^[A-Z].*\.$/)]);
    expect(tools.filter(({ outputSchema }) => outputSchema)).toEqual([]);
  });
});

test.each(pairs.filter(([, transport]) => transport !== 'stdio with a wallet'))(
  '%s over %s: after a wrong response, the challenge comes again, with the reason',
  async (version, transport) => {
    const { call } = await open(version, transport);
    const sample = { test_id: 'samplereport', read_token: 'x' };
    const asked = await call('read_report', sample);
    expect(asked.structuredContent).toMatchObject({
      x402Version: 2,
      code: 'payment_required',
      accepts: [{ amount: '50000' }],
      resource: { url: 'mcp://tool/read_report' },
    });
    expect(JSON.parse(asked.content[0]?.text ?? '')).toEqual(asked.structuredContent);
    // The clients of Cloudflare's agents look only here.
    expect(asked._meta?.['x402/error']).toEqual(asked.structuredContent);
    const before = await stack.income();
    const challenge = asked.structuredContent as { accepts: { amount: string }[] };
    const cheap = {
      ...challenge,
      accepts: challenge.accepts.map((one) => ({ ...one, amount: '1' })),
    };
    const payment = await wallets['x402 2.27'](key()).sign(cheap);
    const refused = await call('read_report', sample, { 'x402/payment': payment });
    expect([refused.isError, codeOf(refused)]).toEqual([true, 'payment_invalid']);
    expect(refused.structuredContent).toMatchObject({ x402Version: 2, error: expect.any(String) });
    expect(refused.content[1]?.text).toMatch(/moved no money.*\(payment_invalid\)/);
    expect(await stack.income()).toBe(before);
  },
);

test('a payment may be the base64 of its JSON, as in the header of the HTTP API', async () => {
  const { call } = await open('MCP SDK v1', 'HTTP');
  const sample = { test_id: 'samplereport', read_token: 'x' };
  const before = await stack.income();
  const asked = await call('read_report', sample);
  const payment = await wallets['x402 2.0'](key()).sign(asked._meta?.['x402/error']);
  const meta = { 'x402/payment': btoa(JSON.stringify(payment)) };
  expect((await call('read_report', sample, meta)).isError).toBeFalsy();
  expect((await call('read_report', sample, meta)).isError).toBeFalsy();
  expect(await stack.income()).toBe(before + 50_000n);
});

test.each(Object.keys(wallets) as (keyof typeof wallets)[])(
  'the whole job over the HTTP API with the fetch of %s',
  async (version) => {
    const created = await stack.create();
    await stack.send(created.address);
    const { fetch: pay } = wallets[version](key());
    const before = await stack.income();
    const url = `${stack.http()}/v1/report?test_id=${created.test_id}`;
    const read = () => pay(url, { headers: { 'x-read-token': created.read_token } });
    const paid = await read();
    expect([paid.status, isReport(await paid.json())]).toEqual([200, true]);
    expect(paid.headers.get('payment-response')).toBeTruthy();
    expect((await read()).status).toBe(200);
    expect(await stack.income()).toBe(before + 50_000n);
  },
);
