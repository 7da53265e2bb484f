import { defineConfig } from 'vitest/config';

/** Two cores: a few workers keep the servers that the tests start from starving each other. */
export default defineConfig({
  test: {
    root: '.',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.int.test.ts'],
        },
      },
      { extends: true, test: { name: 'integration', include: ['test/**/*.int.test.ts'] } },
    ],
  },
});
