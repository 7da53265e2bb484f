import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { TEST_MS, WAIT_MS } from './run/limits.mjs';

/** Starts servers or processes, or takes more than a second or two of computing. */
const long = 'test/**/*.{int,slow}.test.ts';

/** What takes longest: begun first, so that none of it is left alone at the end. */
const LONGEST = [
  ...['edge/crowd/crowd', 'faults/processes', 'faults/lies', 'faults/cluster', 'faults/files'],
  ...['setup/nats-health', 'faults/money', 'analysis/whole/whole', 'actors/payment-histories'],
  ...['service/lost-log', 'payments/selling', 'service/restored', 'faults/facilitator'],
  // It waits, and takes little of a processor meanwhile.
  'service/full',
].map((name) => `/test/${name}.int.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(name));
      return place < 0 ? LONGEST.length : place;
    };
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

/**
 * `unit` is the loop one thinks in: half a minute. Files share their workers, since starting one for each,
 * with all modules, costs more than many tests themselves; `global-state.ts` holds what that asks for.
 */
export default defineConfig({
  test: {
    root: '.',
    testTimeout: TEST_MS,
    hookTimeout: TEST_MS,
    expect: { poll: { timeout: WAIT_MS } },
    // Three times the cores of a small machine: half of what the long ones do is waiting.
    maxWorkers: 6,
    sequence: { sequencer: LongestFirst },
    restoreMocks: true,
    isolate: false,
    setupFiles: ['test/run/global-state.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [long],
          // Each worker loads the whole source, and these wait for nothing: after the long ones, in few.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'long', include: [long], globalSetup: ['test/run/programs.ts'] },
      },
    ],
  },
});
