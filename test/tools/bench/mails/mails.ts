import type { Figure } from '../figures.ts';
import { printFigures, readOptions } from '../print.ts';
import { startMailEnvironment } from './environment.ts';
import { measureLatency } from './latency.ts';
import { measureMemory } from './memory.ts';
import { measureThroughput } from './throughput.ts';

const USAGE = `npm run bench -- mails [--json FILE]

  --json FILE    write the figures there, too`;

/** What mails cost the whole service, sent by SMTP with every lookup answered at once. */
export async function benchMails(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (!options) {
    console.error(USAGE);
    return 2;
  }
  const environment = await startMailEnvironment();
  try {
    const figures: Figure[] = [];
    for (const measure of [measureThroughput, measureLatency, measureMemory])
      figures.push(...(await measure(environment)));
    return await printFigures(figures, options);
  } finally {
    await environment.stop();
  }
}
