import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { x402Client } from '@x402/core/client';
import { encodePaymentSignatureHeader } from '@x402/core/http';
import { ExactEvmScheme } from '@x402/evm';
import { privateKeyToAccount } from 'viem/accounts';
import { decodeHeader } from '../../../src/domain/x402-headers.ts';
import type { Stack } from '../../support/process/stack.ts';

const shell = promisify(execFile);

/**
 * Reaches a paid report by what `/llms.txt` says alone: its lines of curl are run as they are, with
 * what the answers gave filled in. Gives the report.
 */
export async function followGuide(stack: Stack): Promise<{ readonly test_id: string }> {
  const guide = await (await fetch(`${stack.http()}/llms.txt`)).text();
  const lines = [...guide.matchAll(/^ +(curl .*)$/gm)].map(([, line = '']) => line);
  const values: Record<string, string> = {};
  const run = async (part: RegExp, options = '-s') => {
    const line = lines.find((one) => part.test(one));
    if (!line) throw new Error(`llms.txt has no line of curl for ${part}.`);
    const filled = line.replace(/TEST_ID|READ_TOKEN|BASE64/g, (name) => values[name] ?? name);
    return (await shell('sh', ['-c', filled.replace('curl', `curl ${options}`)])).stdout;
  };

  const created = JSON.parse(await run(/-X POST/)) as Record<string, string>;
  values.TEST_ID = created.test_id ?? '';
  values.READ_TOKEN = created.read_token ?? '';
  await stack.send(created.address ?? '');
  const { status } = JSON.parse(await run(/status$/)) as { status: string };
  if (status !== 'ready') throw new Error(`The status is ${status}.`);

  const unpaid = await run(/curl -i/);
  const [, challenge = ''] = /^payment-required: (\S+)/im.exec(unpaid) ?? [];
  const client = new x402Client().register(
    'eip155:8453',
    new ExactEvmScheme(privateKeyToAccount(stack.environment.chain.payer.privateKey)),
  );
  const payload = await client.createPaymentPayload(decodeHeader(challenge) as never);
  values.BASE64 = encodePaymentSignatureHeader(payload);
  return JSON.parse(await run(/BASE64/)) as { test_id: string };
}
