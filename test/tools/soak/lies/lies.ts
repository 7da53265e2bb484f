import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type Mode, startPaymentFixtures } from '../../../support/payments/payment-fixtures.ts';
import { prng } from '../../../support/prng/prng.ts';
import { type FacilitatorLie, facilitatorLies } from './facilitator-lies.ts';
import { startLiar } from './liar.ts';
import { consistentLies, type NodeLie, nodeLies } from './node-lies.ts';

const USAGE = `npm run lab -- soak lies [--mode self|facilitator] [--only WORDS] [--seed N]

  --mode       in one mode of settling; in both by default
  --only       lies whose name has these words
  --seed N     repeats the throws of an earlier run`;

const print = (text: string) => console.log(text);

/** Those that can be told in a mode; with `count`, so many of them by the seed. */
export function liesFor(
  mode: Mode,
  { seed, count }: { readonly seed?: number; readonly count?: number } = {},
): readonly (NodeLie | FacilitatorLie)[] {
  const all = [...nodeLies, ...consistentLies, ...(mode === 'facilitator' ? facilitatorLies : [])];
  if (seed === undefined || count === undefined) return all;
  const random = prng(seed);
  return Array.from({ length: count }, () => all.splice(random.below(all.length), 1)).flat();
}

/**
 * Tells a buyer with the official client every lie that a node or a facilitator can tell, and holds
 * that no report has two transfers and none is read without one. Resolves to the exit code.
 */
export async function soakLies(args: readonly string[]): Promise<number> {
  const options = readArgs(args);
  if (!options) {
    console.error(USAGE);
    return 2;
  }
  const { modes, only, seed } = options;
  print(`seed ${seed}`);
  let broken = 0;
  for (const mode of modes) {
    const fixtures = await startPaymentFixtures(mode);
    try {
      const liar = await startLiar(fixtures, seed);
      for (const lie of liesFor(mode).filter(({ name }) => name.includes(only))) {
        const begun = performance.now();
        const told = await liar.tell(lie);
        broken += told.broken.length;
        const seconds = ((performance.now() - begun) / 1000).toFixed(1);
        print(`${mode}: ${lie.name}: ${told.statuses.join(' ')} in ${seconds} s`);
        for (const one of told.broken) print(`  BROKEN: ${one}`);
      }
      const late = await liar.late();
      broken += late.length;
      for (const one of late) print(`  BROKEN: ${one}`);
    } finally {
      await fixtures.stop();
    }
  }
  print(broken === 0 ? 'no lie had a report paid twice, or read unpaid' : `${broken} broken`);
  return broken === 0 ? 0 : 1;
}

function readArgs(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { mode: { type: 'string' }, only: { type: 'string' }, seed: { type: 'string' } },
    });
    const modes = (['self', 'facilitator'] as const).filter(
      (mode) => values.mode === undefined || values.mode === mode,
    );
    const seed = Number(values.seed ?? randomInt(2 ** 31));
    return modes.length > 0 && Number.isInteger(seed)
      ? { modes, only: values.only ?? '', seed }
      : undefined;
  } catch {
    return undefined;
  }
}
