/**
 * Sends the email of a test by running the user's own shell command, after checking that the address is safe
 * in it.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { CommandError } from '../exit.ts';
import { withCleanUp } from '../interrupt.ts';

/**
 * Matches the address of a test. No other characters are allowed, because the address is part of a shell
 * command.
 */
const ADDRESS = /^[a-z2-7]{12}@[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;

const PLACEHOLDER = '{address}';

/** Environment variables that the user's command must not see. */
const SECRETS = ['DELIVERABILITY_KEY', 'DELIVERABILITY_KEY_FILE', 'DELIVERABILITY_READ_TOKEN'];

/**
 * Returns the address if it is safe to put into a shell command.
 * @throws CommandError if it is not the address of a test
 */
export function checkAddress(address: string): string {
  if (!ADDRESS.test(address))
    throw new CommandError(
      'not_a_service',
      'The address that the service returned is not an email address. Check --service.',
    );
  return address;
}

/**
 * Runs the user's command with the address instead of `{address}`, and also in the variable
 * DELIVERABILITY_ADDRESS. The command's output goes to stderr.
 *
 * @throws CommandError if the command fails
 */
export async function sendByCommand(
  command: string,
  address: string,
  env: Readonly<Record<string, string | undefined>>,
  note: (text: string) => void,
): Promise<void> {
  // Without a terminal, a group of its own makes all programs of the command stop with us. With a terminal,
  // Ctrl-C reaches them anyway, and a group of its own could not ask there for a password.
  const isOwnGroup = process.platform !== 'win32' && !process.stdin.isTTY && !process.stderr.isTTY;
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !SECRETS.includes(name)));
  const child = spawn(command.replaceAll(PLACEHOLDER, checkAddress(address)), {
    shell: true,
    env: { ...own, DELIVERABILITY_ADDRESS: address },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: isOwnGroup,
  });
  for (const output of [child.stdout, child.stderr])
    output.on('data', (chunk: Buffer) => note(chunk.toString().trimEnd()));
  const [code, signal] = await withCleanUp(
    (received) => stop(child, isOwnGroup, received),
    () => once(child, 'close'),
  );
  if (code !== 0)
    throw new CommandError(
      'mail_not_sent',
      `The --send command failed: it exited with ${code ?? signal}.`,
    );
}

/** Passes a signal on to the user's command, which may have ended already. */
function stop({ pid }: ChildProcess, isGroup: boolean, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(isGroup ? -pid : pid, signal);
  } catch {
    // The command has ended.
  }
}
