import { defineConfig } from 'vitest/config';
import { TEST_MS, WAIT_MS } from './run/limits.mjs';

/** Starts servers or processes, or takes more than a second or two of computing. */
const long = 'test/**/*.{int,slow}.test.ts';

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
    // One more than the cores of a small machine: some of what the tests do is waiting.
    maxWorkers: 3,
    restoreMocks: true,
    isolate: false,
    setupFiles: ['test/run/global-state.ts'],
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: [long] },
      },
      {
        extends: true,
        test: { name: 'long', include: [long], globalSetup: ['test/run/programs.ts'] },
      },
    ],
  },
});
