/** Follows the guide for agents, `/llms.txt`, against a live service. */

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { privateKeyToAccount } from 'viem/accounts';
import type { Stack } from '../../support/process/stack.ts';

const shell = promisify(execFile);

/** Seconds for which the payment is valid, less than the guide allows. */
const VALID_SECONDS = 100;

/**
 * Reaches a paid report by following only `/llms.txt`: its lines of curl are run, and its lines of JSON are
 * signed and sent as they are, with the words in capitals filled in. Returns the report.
 */
export async function followGuide(stack: Stack): Promise<{ readonly test_id: string }> {
  const guide = await (await fetch(`${stack.http()}/llms.txt`)).text();
  const folder = await mkdtemp(join(tmpdir(), 'guide-'));
  const values: Record<string, string> = {};
  const lineOf = (part: RegExp) => {
    const line = guide.split('\n').find((one) => /^ {7}/.test(one) && part.test(one));
    if (!line) throw new Error(`llms.txt has no line for ${part}.`);
    const filled = (word: string) => values[word] ?? word;
    return line
      .trim()
      .replace(/\b(?:TEST_ID|READ_TOKEN|FROM|BEFORE|NONCE|YOUR_SIGNATURE)\b/g, filled);
  };
  const run = async (part: RegExp) => {
    const line = lineOf(part).replace('curl', 'curl -s');
    return (await shell('sh', ['-c', line], { cwd: folder })).stdout;
  };

  try {
    const created = JSON.parse(await run(/-X POST/)) as Record<string, string>;
    values.TEST_ID = created.test_id ?? '';
    values.READ_TOKEN = created.read_token ?? '';
    await stack.send(created.address ?? '');
    const { status } = JSON.parse(await run(/status$/)) as { status: string };
    if (status !== 'ready') throw new Error(`The status is ${status}.`);

    const unpaid = await run(/curl -i/);
    if (!/^payment-required: \S+/im.test(unpaid)) throw new Error('There is no challenge.');
    const account = privateKeyToAccount(stack.environment.chain.payer.privateKey);
    values.FROM = account.address;
    values.BEFORE = String(Math.floor(Date.now() / 1000) + VALID_SECONDS);
    values.NONCE = `0x${randomBytes(32).toString('hex')}`;
    values.YOUR_SIGNATURE = await account.signTypedData(JSON.parse(lineOf(/primaryType/)));
    await writeFile(join(folder, 'payment.json'), lineOf(/"signature"/));
    const paid = await run(/payment\.json/);
    if (!/^payment-response: \S+/im.test(paid)) throw new Error(paid);
    const again = await run(/curl -i/);
    return JSON.parse(again.slice(again.indexOf('{'))) as { test_id: string };
  } finally {
    await rm(folder, { recursive: true });
  }
}
