/** Configures the test runs: which files are unit tests, and in which order the long ones run. */

import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { TEST_MS, WAIT_MS } from './run/limits.mjs';

/** Tests that start servers or processes. */
const starting = 'test/**/*.int.test.ts';

/** Tests that compute for more than a second or two. */
const computing = 'test/**/*.slow.test.ts';

/** The files that take longest. They begin first, so that none of them runs alone at the end. */
const LONGEST = [
  ...['edge/crowd/crowd.int', 'faults/processes.int', 'faults/lies.int', 'faults/cluster.int'],
  ...['faults/files.int', 'faults/money.int'],
  ...['actors/payment-histories.int', 'service/lost-log.int', 'payments/selling.int'],
  ...['service/restored.int', 'faults/facilitator.int'],
  // This file waits, and takes little processor time meanwhile.
  'service/full.int',
  ...['analysis/whole/whole.slow', 'lab/fixes/fixes.slow', 'client/lint/lint.slow'],
  'edge/mail/mails.slow',
].map((name) => `/test/${name}.test.ts`);

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
 * How tests that wait for nothing run: after those that wait, in few workers, because each worker loads and
 * compiles the whole source. A worker only runs files of one project, so each project has its turn.
 */
const inTurn = (groupOrder: number) => ({ maxWorkers: 2, sequence: { groupOrder } });

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
    // Three times the cores of a small machine, because half of the time of tests with servers is waiting.
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
          exclude: [starting, computing],
          ...inTurn(2),
        },
      },
      {
        extends: true,
        test: { name: 'slow', include: [computing], ...inTurn(1) },
      },
      {
        extends: true,
        test: { name: 'int', include: [starting], globalSetup: ['test/run/programs.ts'] },
      },
    ],
  },
});
