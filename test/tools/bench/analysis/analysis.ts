import { newSenderKey } from '../../../environment/sender.ts';
import { printFigures, readOptions } from '../print.ts';
import { measureChains } from './chains.ts';
import { measureCpu } from './cpu.ts';

const USAGE = `npm run bench -- analysis [--json FILE]

  --json FILE    write the figures there, too`;

/** What an analysis costs by itself: its processor time, and its wait for DNS. */
export async function benchAnalysis(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (!options) {
    console.error(USAGE);
    return 2;
  }
  const key = newSenderKey();
  return printFigures([...(await measureCpu(key)), ...(await measureChains(key))], options);
}
