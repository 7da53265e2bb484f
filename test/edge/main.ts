import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';

/**
 * `npm run lab -- edge [--seconds N] [--only WORDS] [--seed N]`: the rows of this folder, each for so long
 * and at its full size. Resolves to the exit code.
 */
export async function runEdge(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '60' },
      only: { type: 'string' },
      seed: { type: 'string' },
    },
  });
  if (!(Number(values.seconds) > 0)) {
    console.error(`--seconds is "${values.seconds}"; it has to be a number above 0.`);
    return 2;
  }
  const only = values.only === undefined ? [] : ['-t', values.only];
  const vitest = ['run', '-c', 'test/vitest.config.ts', '--no-file-parallelism', 'test/edge'];
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...vitest, ...only], {
    stdio: 'inherit',
    env: {
      ...process.env,
      EDGE_SECONDS: values.seconds,
      ...(values.seed !== undefined && { EDGE_SEED: values.seed }),
    },
  });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
