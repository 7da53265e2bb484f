import { prng } from '../../support/prng/prng.ts';
import { findFault } from './check.ts';
import { grow } from './grammar.ts';
import { mutate } from './mutate.ts';

/** How often a case is grown by the grammar instead of taken from a seed. */
const GROWN = 0.4;

export interface FuzzOptions {
  readonly seeds: readonly [string, ...string[]];
  /** Of the first case; the next ones count up. */
  readonly seed: number;
  readonly count: number;
  /** Ends early when it says so. */
  readonly isOver?: () => boolean;
  readonly onFault?: (fault: Fault) => void;
}

export interface Fault {
  /** `--seed` of this case alone, with `--count 1` and the same seeds. */
  readonly seed: number;
  readonly fault: string;
  readonly mail: string;
}

export interface FuzzResult {
  readonly mails: number;
  readonly faults: number;
  readonly slowestMs: number;
  readonly slowestSeed: number;
  readonly bytes: number;
}

/** The mail of one seed, always the same. */
export function makeCase(seeds: FuzzOptions['seeds'], seed: number): string {
  const random = prng(seed);
  const take = () => (random.chance(GROWN) ? grow(random) : random.pick(seeds));
  const mail = take();
  // Some are read as they were grown.
  return random.chance(0.1) ? mail : mutate(mail, take(), random);
}

/** Reads one made mail after another and looks at what comes out. */
export async function fuzz({
  seeds,
  seed,
  count,
  isOver,
  onFault,
}: FuzzOptions): Promise<FuzzResult> {
  let mails = 0;
  let faults = 0;
  let bytes = 0;
  let slowest = { ms: 0, seed };
  for (; mails < count && !isOver?.(); mails += 1) {
    const own = (seed + mails) >>> 0;
    const mail = makeCase(seeds, own);
    const begin = performance.now();
    const fault = await findFault(mail);
    const ms = performance.now() - begin;
    if (ms > slowest.ms) slowest = { ms, seed: own };
    bytes += mail.length;
    if (fault === null) continue;
    faults += 1;
    onFault?.({ seed: own, fault, mail });
  }
  return { mails, faults, bytes, slowestMs: slowest.ms, slowestSeed: slowest.seed };
}
