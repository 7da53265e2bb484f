import { defineConfig } from 'vitest/config';

/** Two cores: a few workers keep the servers that the tests start from starving each other. */
export default defineConfig({
  test: {
    root: '.',
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
