import { newSenderKey } from '../demo/sender.ts';
import { measureChains } from './analysis/chains.ts';
import { measureCpu } from './analysis/cpu.ts';
import { readWish, tell } from './tell.ts';

const USAGE = `npm run bench -- analysis [--json FILE]

  --json FILE    write the figures there, too`;

/** What an analysis costs by itself: its processor time, and its wait for DNS. */
export async function benchAnalysis(args: readonly string[]): Promise<number> {
  const wish = readWish(args);
  if (!wish) {
    console.error(USAGE);
    return 2;
  }
  const key = newSenderKey();
  return tell([...(await measureCpu(key)), ...(await measureChains(key))], wish);
}
