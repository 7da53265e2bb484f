/** Runs a yardstick as a separate process, so that its work is not counted as ours. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Runs one of the yardsticks as a separate process, which ends with ours, so that its work is not counted as
 * ours.
 * @returns its output once it has been given `input`
 */
export async function forkChild<Output>(module: string, input: unknown) {
  const path = fileURLToPath(new URL(module, import.meta.url));
  const child = fork(path, [], { env: {}, execArgv: [], serialization: 'advanced' });
  const exited = once(child, 'exit');
  const tell = async (next: unknown) => {
    child.send(next as object);
    const answer = await Promise.race([once(child, 'message'), exited]);
    if (child.exitCode !== null) throw new Error(`${module} has ended.`);
    return answer[0] as Output;
  };
  return {
    output: await tell(input),
    pid: child.pid ?? 0,
    tell,
    async stop() {
      child.disconnect();
      await exited;
    },
  };
}
