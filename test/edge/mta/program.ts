/** Runs other programs for the tests with real mail servers. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Longest time for one call, in milliseconds. An installation takes the longest. */
const CALL_MS = 120_000;

interface Options {
  /** Text for its standard input. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program to its end and returns its output. Rejects with its output if it fails. */
export async function call(
  program: string,
  args: readonly string[],
  { input = '', env = {} }: Options = {},
): Promise<string> {
  const child = spawn(program, args, { env: { ...process.env, ...env }, timeout: CALL_MS });
  const output: string[] = [];
  child.stdout.on('data', (chunk) => output.push(String(chunk)));
  child.stderr.on('data', (chunk) => output.push(String(chunk)));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  const text = output.join('').trim();
  if (code !== 0) throw new Error(`${program} ended with code ${code}:\n${text}`);
  return text;
}
