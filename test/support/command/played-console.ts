/** Runs the `deliverability` command within a test, and keeps what it prints. */

import type { CommandConsole } from '../../../src/client/console.ts';
import { runCommandLine } from '../../../src/client/run.ts';

export interface Played {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command in this process, as in a pipeline. */
export async function playCommand(
  args: readonly string[],
  env: CommandConsole['env'] = {},
  more: Partial<CommandConsole> = {},
): Promise<Played> {
  const written = { stdout: '', stderr: '' };
  const exitCode = await runCommandLine(args, {
    env,
    columns: 80,
    colors: false,
    print: async (text) => {
      written.stdout += text;
      return true;
    },
    note: (text) => {
      written.stderr += `${text}\n`;
    },
    readStdin: async () => new Uint8Array(),
    ...more,
  });
  return { exitCode, ...written };
}
