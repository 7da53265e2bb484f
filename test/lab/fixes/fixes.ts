/** Runs `npm run lab -- fixes`, which follows the fixes of mutated setups and judges the results. */

import fc from 'fast-check';
import { readOptions } from '../../../src/config/command-line.ts';
import { startWholeEnvironment } from '../../analysis/whole/environment.ts';
import { analyzingOnce } from '../../analysis/whole/remembering.ts';
import { dkimSetups } from './dkim-setups.ts';
import { dmarcSetups } from './dmarc-setups.ts';
import { ENDS, type End, judgeFixes } from './judge.ts';
import { platformSetups } from './platform-setups.ts';
import { randomSetup } from './random-setups.ts';
import type { Setup } from './setup.ts';
import { spfSetups } from './spf-setups.ts';

/** Setups that were written by hand. */
export const allSetups: readonly Setup[] = [
  ...spfSetups,
  ...dmarcSetups,
  ...dkimSetups,
  ...platformSetups,
];

/** Number of random setups with something to fix, unless a number is given. */
const COUNT = 1000;

/**
 * Runs `npm run lab -- fixes`: follows the fixes of mutated setups and prints how they end. Resolves to the
 * exit code: 1 if a fix does harm, or does not cure what a machine can.
 */
export async function runFixes(args: readonly string[]): Promise<number> {
  const { values } = readOptions(args, {
    count: { type: 'string', default: String(COUNT) },
    seed: { type: 'string', default: '1' },
  });
  const random = fc.sample(randomSetup, {
    seed: Number(values.seed),
    numRuns: Number(values.count),
  });
  const bad =
    (await judgeAll('setups that were written down', allSetups)) +
    (await judgeAll(`setups made at random from seed ${values.seed}`, random));
  return bad === 0 ? 0 : 1;
}

/** Returns how many setups have a fix that does harm, or does not cure without asking. */
async function judgeAll(what: string, setups: readonly Setup[]): Promise<number> {
  const environment = await startWholeEnvironment();
  const ends = new Map<End, number>(ENDS.map((end) => [end, 0]));
  let harmed = 0;
  let othersHarmed = 0;
  let bad = 0;
  for (const setup of setups) {
    const { end, harm, others, left } = await judgeFixes(setup, analyzingOnce(environment));
    ends.set(end, (ends.get(end) ?? 0) + 1);
    harmed += Number(harm.length > 0);
    othersHarmed += Number(others.length > 0);
    const faults = [...harm, ...others, ...left.map((id) => `${id}: is left`)];
    bad += Number(faults.length > 0);
    for (const fault of faults) console.log(`${setup.name}: ${fault}`);
  }
  await environment.stop();
  const counts = [...ends].map(([end, n]) => `${n} ${end}`);
  console.log(
    `${setups.length} ${what}: ${counts.join(', ')}, ${harmed} harmed, ${othersHarmed} with other senders harmed`,
  );
  return bad;
}
