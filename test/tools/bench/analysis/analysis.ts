import { newSenderKey } from '../../../environment/sender.ts';
import type { Figure } from '../figures.ts';
import { printFigures, readRows } from '../print.ts';
import { measureChains } from './chains.ts';
import { measureCpu } from './cpu.ts';

const ROWS = { cpu: measureCpu, chains: measureChains };

const USAGE = `npm run bench -- analysis [ROW …] [--json FILE]

  ROW            one of: ${Object.keys(ROWS).join(', ')}; without: all
  --json FILE    write the figures there, too`;

/** What an analysis costs by itself: its processor time, and its wait for DNS. */
export async function benchAnalysis(args: readonly string[]): Promise<number> {
  const options = readRows(args, ROWS);
  if (!options) {
    console.error(USAGE);
    return 2;
  }
  const key = newSenderKey();
  const figures: Figure[] = [];
  for (const measure of options.rows) figures.push(...(await measure(key)));
  return printFigures(figures, options);
}
