/** Configures the test runs: which files are unit tests, and in which order the long ones run. */

import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { TEST_MS, WAIT_MS } from './run/limits.mjs';

/** Tests that start servers or processes, or compute for more than a second or two. */
const long = 'test/**/*.{int,slow}.test.ts';

/** The files that take longest. They begin first, so that none of them runs alone at the end. */
const LONGEST = [
  ...['edge/crowd/crowd', 'faults/processes', 'faults/lies', 'faults/cluster', 'faults/files'],
  ...['setup/nats-health', 'faults/money', 'analysis/whole/whole', 'actors/payment-histories'],
  ...['service/lost-log', 'payments/selling', 'service/restored', 'faults/facilitator'],
  // This file waits, and takes little processor time meanwhile.
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
 * The project `unit` is the one to run while thinking: it takes half a minute. Its files share their workers,
 * because starting one for each file, with all modules, costs more than many tests themselves;
 * `global-state.ts` contains what this requires.
 */
export default defineConfig({
  test: {
    root: '.',
    testTimeout: TEST_MS,
    hookTimeout: TEST_MS,
    expect: { poll: { timeout: WAIT_MS } },
    // Three times the cores of a small machine, because half of the time of the long tests is waiting.
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
          // Each worker loads the whole source, and these tests wait for nothing, so few workers run them
          // after the long tests.
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
