/** Fails a test file that leaves global state changed, because all files share one process. */

import { afterAll, beforeAll, expect, vi } from 'vitest';

// Files run in one process, one after another. If one of them left anything changed, another would fail, so
// the culprit is made to fail itself.
const globals = () => ({
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  Date: globalThis.Date,
  'Date.now': Date.now,
  'performance.now': performance.now,
  env: { ...process.env },
});

let before: ReturnType<typeof globals>;

beforeAll(() => {
  before = globals();
});

afterAll(() => {
  vi.restoreAllMocks();
  for (const [name, value] of Object.entries(globals()))
    expect(value, `${name} after this file`).toEqual(before[name as keyof typeof before]);
});
