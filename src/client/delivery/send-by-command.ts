import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CommandError } from '../exit.ts';

/** The address goes into a shell: nothing but what an address of a test is made of. */
const ADDRESS = /^[a-z2-7]{12}@[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;

const PLACEHOLDER = '{address}';

/** What the sending command has no business with. */
const SECRETS = ['DELIVERABILITY_KEY', 'DELIVERABILITY_KEY_FILE', 'DELIVERABILITY_READ_TOKEN'];

/** @throws CommandError for what is no address of a test */
export function checkAddress(address: string): string {
  if (!ADDRESS.test(address))
    throw new CommandError(
      'not_a_service',
      'The address that the service gave is not a mail address.',
    );
  return address;
}

/**
 * Runs the person's command with the address in place of `{address}`, and in DELIVERABILITY_ADDRESS.
 * What it prints goes to stderr.
 *
 * @throws CommandError when it fails
 */
export async function sendByCommand(
  command: string,
  address: string,
  env: Readonly<Record<string, string | undefined>>,
  note: (text: string) => void,
): Promise<void> {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !SECRETS.includes(name)));
  const child = spawn(command.replaceAll(PLACEHOLDER, checkAddress(address)), {
    shell: true,
    env: { ...own, DELIVERABILITY_ADDRESS: address },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const output of [child.stdout, child.stderr])
    output.on('data', (chunk: Buffer) => note(chunk.toString().trimEnd()));
  const [code, signal] = await once(child, 'close');
  if (code !== 0)
    throw new CommandError('mail_not_sent', `The command of --send ended with ${code ?? signal}.`);
}
