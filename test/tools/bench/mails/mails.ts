import type { Figure } from '../figures.ts';
import { printFigures, readRows } from '../print.ts';
import { startMailEnvironment } from './environment.ts';
import { measureHostile } from './hostile.ts';
import { measureLatency } from './latency.ts';
import { measureMemory } from './memory.ts';
import { measurePolls } from './polls.ts';
import { measureRequests } from './requests.ts';
import { measureThroughput } from './throughput.ts';
import { measureUploads } from './uploads.ts';

const ROWS = {
  throughput: measureThroughput,
  requests: measureRequests,
  latency: measureLatency,
  polls: measurePolls,
  uploads: measureUploads,
  hostile: measureHostile,
  memory: measureMemory,
};

const USAGE = `npm run bench -- mails [ROW …] [--json FILE]

  ROW            one of: ${Object.keys(ROWS).join(', ')}; without: all
  --json FILE    write the figures there, too`;

/** What mails cost the whole service, sent by SMTP with every lookup answered at once. */
export async function benchMails(args: readonly string[]): Promise<number> {
  const options = readRows(args, ROWS);
  if (!options) {
    console.error(USAGE);
    return 2;
  }
  const environment = await startMailEnvironment();
  try {
    const figures: Figure[] = [];
    for (const measure of options.rows) figures.push(...(await measure(environment)));
    return await printFigures(figures, options);
  } finally {
    await environment.stop();
  }
}
