/** Tests the tools and resources of the MCP server over HTTP and stdio. */

import { spawnSync } from 'node:child_process';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { x402Client } from '@x402/core/client';
import { ExactEvmScheme } from '@x402/evm';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { isReport } from '../../src/domain/report/report.ts';
import { PROGRAM_ENV, programOf } from '../environment/compile-cache.ts';
import { type CreatedTest, type Stack, startStack } from '../support/process/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.stop());

interface ToolAnswer {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

async function connect(transport: ConstructorParameters<typeof StdioClientTransport>[0] | URL) {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    transport instanceof URL
      ? new StreamableHTTPClientTransport(transport)
      : new StdioClientTransport(transport),
  );
  onTestFinished(() => client.close());
  const call = async (name: string, args: object = {}, _meta?: object) =>
    (await client.callTool({
      name,
      arguments: args as Record<string, unknown>,
      ...(_meta && { _meta: _meta as Record<string, unknown> }),
    })) as unknown as ToolAnswer;
  return { client, call };
}

const overHttp = () => connect(new URL(`${stack.http()}/mcp`));

const main = programOf('src/client/main.ts');

const overStdio = (args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
  connect({
    command: process.execPath,
    args: [main, 'mcp', ...args],
    env: {
      ...PROGRAM_ENV,
      DELIVERABILITY_URL: stack.http(),
      DELIVERABILITY_KEY: stack.environment.chain.payer.privateKey,
      ...env,
    },
  });

type Connected = Awaited<ReturnType<typeof connect>>;

/** Returns a test whose report is ready. */
async function readyTest({ call }: Connected): Promise<CreatedTest> {
  const created = (await call('create_test')).structuredContent as unknown as CreatedTest;
  await stack.send(created.address);
  const waited = await call('wait_for_result', { test_id: created.test_id });
  expect(waited.structuredContent).toMatchObject({ status: 'ready' });
  return created;
}

const accessOf = ({ test_id, read_token }: CreatedTest) => ({ test_id, read_token });

describe.each([
  ['HTTP', overHttp, []],
  // The public service does not look up domains for strangers.
  ['stdio', overStdio, ['check_domain']],
] as const)('over %s', (_, open, more) => {
  test('the tools and resources are listed and explain themselves', async () => {
    const { client, call } = await open();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'test_mail',
      'create_test',
      'wait_for_result',
      'read_report',
      'explain_finding',
      'delete_test',
      ...more,
    ]);
    for (const { description, inputSchema } of tools) {
      expect(description?.length).toBeGreaterThan(60);
      expect(inputSchema).toMatchObject({ type: 'object' });
    }
    expect(client.getInstructions()).toContain('create_test');
    const { resources } = await client.listResources();
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri });
      expect(JSON.parse((contents[0] as { text: string }).text)).toBeTypeOf('object');
    }
    expect(resources).toHaveLength(3);
    const { contents } = await client.readResource({ uri: 'deliverability://findings/spf_result' });
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ id: 'spf_result' });
    const explained = await call('explain_finding', { id: 'spf_result' });
    expect(explained.structuredContent).toMatchObject({ id: 'spf_result', area: 'spf' });
    const uri = 'deliverability://findings/nowhere';
    await expect(client.readResource({ uri })).rejects.toThrow(`not found: ${uri}`);
    const unknown = await call('explain_finding', { id: 'nowhere' });
    expect(unknown.content[0]?.text).toBe(
      'No finding has this id. The resource deliverability://findings lists all ids.',
    );
  });

  test('a tool without arguments may be called with null, as some clients do', async () => {
    const { call } = await open();
    const created = await call('create_test', null as never);
    expect(created.structuredContent).toMatchObject({ status: 'waiting' });
  });

  test('the sample needs no token', async () => {
    const { call } = await open();
    const before = await stack.income();
    const sample = { test_id: 'samplereport' };
    for (const name of ['read_report', 'test_mail']) {
      const read = await call(name, sample);
      // Over HTTP, the caller has to pay for it.
      expect(read.content[0]?.text).toMatch(/^(?:Score \d+ of 100|\{.*"x402Version":2)/);
    }
    expect(await stack.income()).toBe(before);
  });

  test('arguments that a model sends as null or an empty text count as left out', async () => {
    const { call } = await open();
    const begun = await call('test_mail', { test_id: null, read_token: '', seconds: null });
    expect(begun.structuredContent).toMatchObject({ stage: 'send_mail' });
    const { test_id } = begun.structuredContent as unknown as CreatedTest;
    const waiting = await call('wait_for_result', { test_id, seconds: '0' });
    expect(waiting.structuredContent).toMatchObject({ status: 'waiting' });
    const sample = { test_id: 'samplereport', read_token: 'x', detail: null };
    expect((await call('read_report', sample)).content[0]?.text).not.toContain('argument');
    const required = await call('explain_finding', { id: null });
    expect(required.content[0]?.text).toBe('The argument id is wrong: Expected string.');
    const missing = await call('read_report', { test_id });
    expect(missing.content[0]?.text).toBe('The argument read_token is missing.');
    const choice = await call('read_report', { ...sample, detail: 'all' });
    expect(choice.content[0]?.text).toBe(
      'The argument detail is wrong: Expected "summary" or "whole".',
    );
  });
});

describe.each([
  ['HTTP', overHttp],
  ['stdio', overStdio],
])('the whole job with one tool over %s', (transport, open) => {
  test('says where to send, waits with progress, pays, and returns a plan', async () => {
    const { client, call } = await open();
    const created = await call('test_mail');
    const begun = created.structuredContent as unknown as CreatedTest;
    expect(begun).toMatchObject({ stage: 'send_mail', address: expect.stringContaining('@') });
    const access = accessOf(begun);
    // Many clients show their model only the text.
    for (const value of [begun.address, ...Object.values(access)])
      expect(created.content[0]?.text).toContain(value);
    const waiting = await call('test_mail', { ...access, seconds: 0 });
    expect(waiting.structuredContent).toMatchObject({ stage: 'waiting' });
    for (const [name, value] of Object.entries(access)) {
      const half = await call('test_mail', { [name]: value });
      expect(half.content[0]?.text).toMatch(
        /^The argument (test_id|read_token) is missing\. Pass the /,
      );
    }
    await stack.send(begun.address);

    const told: (string | undefined)[] = [];
    const before = await stack.income();
    const request = { name: 'test_mail', arguments: access };
    const onprogress = ({ message }: { message?: string | undefined }) => void told.push(message);
    const first = (await client.callTool(request, { onprogress })) as unknown as ToolAnswer;
    expect(told).toContain('Waiting for the email and its report.');
    const done =
      transport === 'stdio'
        ? first
        : await call('test_mail', access, { 'x402/payment': await paymentFor(first) });
    expect(done.structuredContent).toMatchObject({
      stage: 'ready',
      verdict: { score: expect.any(Number), fix_plan: expect.any(Array) },
    });
    expect(await stack.income()).toBe(before + 50_000n);
    const deleted = await call('delete_test', access);
    expect(deleted.structuredContent).toEqual({ test_id: begun.test_id });
    expect((await call('test_mail', access)).structuredContent).toMatchObject({
      error: { code: 'test_not_found' },
    });
  });
});

/** Signs the payment that a tool requires, as the official x402 client does. */
async function paymentFor(asked: ToolAnswer) {
  const account = privateKeyToAccount(stack.environment.chain.payer.privateKey);
  const wallet = new x402Client().register('eip155:8453', new ExactEvmScheme(account));
  return wallet.createPaymentPayload(asked.structuredContent as never);
}

test('over HTTP, a payment opens one report, and its challenge does not mention HTTP', async () => {
  const connected = await overHttp();
  const created = await readyTest(connected);
  const before = await stack.income();
  const asked = await connected.call('read_report', accessOf(created));
  expect(JSON.stringify(asked)).not.toMatch(/PAYMENT-|\/v1\/report|header/i);
  const meta = { 'x402/payment': await paymentFor(asked) };
  const paid = await connected.call('read_report', accessOf(created), meta);
  expect(paid._meta?.['x402/payment-response']).toMatchObject({
    success: true,
    transaction: expect.stringMatching(/^0x/),
  });
  expect(paid.content[0]?.text).toMatch(/^Score \d+ of 100/);

  const whole = await connected.call('read_report', { ...accessOf(created), detail: 'whole' });
  const text = whole.content[0]?.text ?? '';
  expect(isReport(JSON.parse(text))).toBe(true);
  // The report is sent once, as text, which every client shows to its model.
  expect(JSON.stringify(whole).length).toBeLessThan(1.2 * text.length);

  const other = await readyTest(connected);
  const again = await connected.call('read_report', accessOf(other), meta);
  expect(again).toMatchObject({ isError: true, structuredContent: { x402Version: 2 } });
  expect(await stack.income()).toBe(before + 50_000n);
});

test('the price is data: with the terms for a caller who pays, without them for a user’s wallet', async () => {
  const pricesOf = async ({ client }: Connected) => {
    const { tools } = await client.listTools();
    return Object.fromEntries(tools.map(({ name, _meta }) => [name, _meta]));
  };
  const terms = {
    ...{ scheme: 'exact', network: 'eip155:8453', amount: '50000' },
    payTo: stack.environment.chain.payTo,
  };
  const asked = {
    'agents-x402/priceUSD': 0.05,
    'agents-x402/paymentRequired': true,
    'x402/accepts': [expect.objectContaining(terms)],
  };
  const prices = await pricesOf(await overHttp());
  expect(prices).toMatchObject({ test_mail: asked, read_report: asked });
  expect(prices.create_test).toBeUndefined();
  const own = await pricesOf(await overStdio());
  expect(own.read_report).toEqual({ 'agents-x402/priceUSD': 0.05 });
});

test('over stdio, the sample costs the user nothing, however often it is read', async () => {
  const { call } = await overStdio();
  const sample = { test_id: 'samplereport', read_token: 'x' };
  const before = await stack.income();
  for (const detail of [undefined, 'whole', 'summary']) {
    const read = await call('read_report', { ...sample, detail });
    expect([read.isError, read._meta]).toEqual([undefined, undefined]);
  }
  expect(await stack.income()).toBe(before);
});

test('over stdio, the user’s wallet pays until the allowed amount is spent', async () => {
  const connected = await overStdio(['--budget', '0.05']);
  const [first, second] = [await readyTest(connected), await readyTest(connected)];
  const before = await stack.income();
  const paid = await connected.call('read_report', accessOf(first));
  expect(paid.isError, paid.content[0]?.text).toBeFalsy();
  expect(paid._meta?.['x402/payment-response']).toMatchObject({ success: true });
  const refused = await connected.call('read_report', accessOf(second));
  expect(refused.isError).toBe(true);
  expect(refused.content[0]?.text).toMatch(/only USD 0\.00 is left of the USD 0\.05 .*--budget/);
  // The refusal comes before another email is sent in vain.
  const early = await connected.call('test_mail');
  expect(early.structuredContent).toMatchObject({ error: { code: 'payment_not_allowed' } });
  expect((await connected.call('read_report', accessOf(first))).isError).toBeFalsy();
  expect(await stack.income()).toBe(before + 50_000n);
});

test('progress while a tool waits keeps a client waiting, over both transports', async () => {
  const { test_id } = await stack.create();
  const request = { name: 'wait_for_result', arguments: { test_id, seconds: 12 } };
  const connected = [await overHttp(), await overStdio()];
  const told = connected.map(async ({ client }) => {
    const messages: unknown[] = [];
    await client.callTool(request, {
      onprogress: (progress) => messages.push(progress),
      // Without progress, the client would give up before the tool has waited.
      timeout: 8000,
      resetTimeoutOnProgress: true,
    });
    return messages;
  });
  const messages = [
    { progress: 1, message: 'Still waiting after 5 s.' },
    { progress: 2, message: 'Still waiting after 10 s.' },
  ];
  expect(await Promise.all(told)).toEqual([messages, messages]);
});

test('a refusal of the email is also in the text, with its reasons', async () => {
  const { call } = await overHttp();
  const begun = (await call('test_mail')).structuredContent as unknown as CreatedTest;
  const from = 'shop@elsewhere.example';
  await expect(stack.send(begun.address, { from, dkim: undefined })).rejects.toThrow();
  const refused = await call('test_mail', { ...accessOf(begun), seconds: 10 });
  expect(refused.structuredContent).toMatchObject({ stage: 'refused' });
  expect(refused.content[0]?.text).toMatch(
    /^The email was refused\.[^\n]*\nspf_and_dkim_failed: .*, or sign with DKIM\./,
  );
});

test('over stdio, an empty wallet is noticed before an email is sent', async () => {
  const { call } = await overStdio([], { DELIVERABILITY_KEY: '1'.repeat(64) });
  const refused = await call('test_mail');
  expect(refused.structuredContent).toMatchObject({ error: { code: 'wallet_empty' } });
  expect(refused.content[0]?.text).toMatch(/costs USD 0\.05, and the wallet 0x\w+ has USD 0\.00/);
});

test('over stdio, a price above the limit is refused with both numbers', async () => {
  const connected = await overStdio(['--max-price', '0.01']);
  const refused = await connected.call('read_report', accessOf(await readyTest(connected)));
  expect(refused.content[0]?.text).toContain('costs USD 0.05, but you allow only USD 0.01');
});

test('over stdio, everything that was read before stdin ends is answered', async () => {
  const { test_id } = await stack.create();
  const wait = { name: 'wait_for_result', arguments: { test_id, seconds: 2 } };
  const lines = [
    { id: 1, method: 'tools/call', params: wait },
    { id: 2, method: 'ping' },
  ];
  // A batch, in a line that does not end.
  const input = JSON.stringify(lines.map((line) => ({ jsonrpc: '2.0', ...line })));
  const env = { ...PROGRAM_ENV, DELIVERABILITY_URL: stack.http() };
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'mcp'], {
    input,
    env,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers).toMatchObject([
    { id: 2, result: {} },
    { id: 1, result: { structuredContent: { status: 'waiting' } } },
  ]);
});

test('a page of another origin is refused, and one of its own is not', async () => {
  const post = (origin: string) =>
    fetch(`${stack.http()}/mcp`, {
      method: 'POST',
      headers: {
        origin,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });
  for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1.evil.example']) {
    const answer = await post(origin);
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'forbidden_origin' }]);
  }
  expect((await post(stack.http())).status).toBe(200);
  expect((await fetch(`${stack.http()}/mcp`)).status).toBe(405);
});

test('no part of a token or a key is in the log of the service', async () => {
  const connected = await overHttp();
  const created = await readyTest(connected);
  await connected.call('read_report', accessOf(created));
  const log = stack.log.join('\n');
  expect(log).not.toContain(created.read_token);
  expect(log).not.toContain(stack.environment.chain.payer.privateKey.slice(2));
});
