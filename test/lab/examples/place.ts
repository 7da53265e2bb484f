/** Prepares the folder and the demo in which the blocks of the documentation are run. */

import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { x402Client } from '@x402/core/client';
import { encodePaymentSignatureHeader } from '@x402/core/http';
import { ExactEvmScheme } from '@x402/evm';
import { privateKeyToAccount } from 'viem/accounts';
import { decodeHeader } from '../../../src/domain/x402-headers.ts';
import { type CreatedTest, type Stack, startStack } from '../../support/process/stack.ts';

const project = fileURLToPath(new URL('../../../', import.meta.url));
const given = fileURLToPath(new URL('given.mjs', import.meta.url));

/** Files that only a checkout has, or that the runner creates itself. */
const LEFT_OUT = new Set(['.git', '.env', 'data', 'dist']);

const MAIL = 'From: shop@sender.example\nTo: ada@example.net\nSubject: Hello\n\nHello.\n';

/**
 * Creates a folder in which a reader might be: the project's files, an email, and the programs that blocks
 * call. Everything that they write stays in it.
 */
export function makePlace() {
  const folder = mkdtempSync(join(tmpdir(), 'examples-'));
  for (const name of readdirSync(project))
    if (!LEFT_OUT.has(name)) symlinkSync(join(project, name), join(folder, name));
  symlinkSync(join(project, 'dist'), join(folder, 'dist'));
  const file = 'dist/deliverability/deliverability.js';
  writeFileSync(join(folder, 'mail.eml'), MAIL);
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  for (const [name, target] of [
    ['given', given],
    ['deliverability', join(project, file)],
  ] as const) {
    const path = join(programs, name);
    writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${target}" "$@"\n`);
    chmodSync(path, 0o755);
  }
  const path = [programs, dirname(process.execPath), process.env.PATH].join(delimiter);
  return {
    folder,
    env: { PATH: path, HOME: process.env.HOME },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * Starts the demo, and returns what its reader knows: addresses, a test that is ready, a signed payment, a
 * payer.
 */
export async function startDemo(settings: Readonly<Record<string, string>> = {}) {
  const stack = await startStack(settings);
  const { environment, http, smtp } = stack;
  const ready = await stack.create();
  await stack.send(ready.address);
  const { privateKey } = environment.chain.payer;
  const { host, port } = smtp();
  const env = {
    GIVEN_HTTP: http(),
    GIVEN_SMTP: `${host}:${port}`,
    GIVEN_DELIVERABILITY_KEY: privateKey,
    NATS_URL: environment.env.NATS_URL,
  };
  const variables = {
    BASE_URL: http(),
    TEST_ID: ready.test_id,
    READ_TOKEN: ready.read_token,
    PAYMENT: await sign(stack, ready),
    PAYER_KEY: privateKey,
    REPORT_URL: `${http()}/v1/report?test_id=${ready.test_id}`,
  };
  return { env, variables, stop: () => stack.stop() };
}

async function sign({ read, environment }: Stack, test: CreatedTest): Promise<string> {
  const { headers } = await read(test);
  const account = privateKeyToAccount(environment.chain.payer.privateKey);
  const client = new x402Client().register('eip155:8453', new ExactEvmScheme(account));
  const challenge = decodeHeader(headers.get('payment-required') ?? '');
  return encodePaymentSignatureHeader(await client.createPaymentPayload(challenge as never));
}
