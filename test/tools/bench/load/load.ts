import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Loaded, RETENTION_SECONDS, underLoad } from './environment.ts';
import { readGauges } from './gauges.ts';
import type { Place } from './history.ts';
import { type Check, judge } from './judge.ts';
import { playTest } from './phase.ts';

const USAGE = `npm run bench -- load [--minutes N] [--over-minutes N] [--json FILE]

  --minutes N       at 70 % of the maximum; 30 by default
  --over-minutes N  at 150 %; 5 by default
  --json FILE       writes the figures there, too`;

/** A test that is ready within this time is as fast as ever, in milliseconds; and the longest look for one. */
const SWIFT_MS = 1000;
const PATIENCE_MS = 60_000;

/** After the last test began, its retention, and what ends and erases the tests of an overload. */
const ENDED_MS = 2 * RETENTION_SECONDS * 1000;
const LOOK_MS = 1000;

/** Whole tests from creation to expiry at a steady rate, then at more than can be done. */
export async function benchLoad(args: readonly string[]): Promise<number> {
  const options = readArgs(args);
  if (!options) {
    console.error(USAGE);
    return 2;
  }
  return underLoad(async (loaded) => {
    const { checks, ...figures } = await measure(loaded, options);
    for (const { what, holds } of checks) console.log(`${holds ? 'holds ' : 'MISSED'}  ${what}`);
    if (options.json) await writeFile(options.json, `${JSON.stringify({ ...figures, checks })}\n`);
    return checks.every(({ holds }) => holds) ? 0 : 1;
  });
}

async function measure(
  { place, maximum, at }: Loaded,
  { minutes, overMinutes }: { readonly minutes: number; readonly overMinutes: number },
) {
  const { some, ...steady } = await at(0.7, minutes * 60_000);
  console.log('at 70 %', JSON.stringify(steady));
  const { some: others, ...over } = await at(1.5, overMinutes * 60_000);
  console.log('at 150 %', JSON.stringify(over));
  const recovery_ms = await recover(place);
  const ended = await untilEnded(place, [...some, ...others]);
  console.log('in the end', JSON.stringify({ recovery_ms, ...ended }));
  const checks: readonly Check[] = judge({ steady, over, recovery_ms, ended });
  return { maximum, steady, over, recovery_ms, ended, checks };
}

/** Milliseconds until a test is ready at once. */
async function recover(place: Place): Promise<number> {
  const begin = performance.now();
  for (;;) {
    const ending = await playTest(place, 1);
    const took = Math.round(performance.now() - begin);
    if ((ending.how === 'ready' && ending.readyMs < SWIFT_MS) || took > PATIENCE_MS) return took;
  }
}

/** Waits until no test is left, as the service says, and asks for some of those that were ready. */
async function untilEnded(place: Place, ids: readonly string[]) {
  const begin = performance.now();
  let { liveTests, eraseBacklog } = await readGauges(place);
  while (liveTests + eraseBacklog > 0 && performance.now() - begin < ENDED_MS) {
    await sleep(LOOK_MS);
    ({ liveTests, eraseBacklog } = await readGauges(place));
  }
  const statuses = [];
  for (const id of ids) statuses.push((await fetch(`${place.http}/v1/tests/${id}/status`)).status);
  return {
    after_ms: Math.round(performance.now() - begin),
    live_tests: liveTests,
    erase_backlog: eraseBacklog,
    asked: statuses.length,
    still_there: statuses.filter((status) => status !== 404).length,
  };
}

function readArgs(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        minutes: { type: 'string', default: '30' },
        'over-minutes': { type: 'string', default: '5' },
        json: { type: 'string' },
      },
    });
    const [minutes = 0, overMinutes = 0] = [values.minutes, values['over-minutes']].map(Number);
    return minutes > 0 && overMinutes > 0 ? { minutes, overMinutes, json: values.json } : undefined;
  } catch {
    return undefined;
  }
}
