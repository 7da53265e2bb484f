import { afterAll, beforeAll, expect, vi } from 'vitest';

// Files run in one process after the other. What one of them leaves changed would fail
// a stranger, so that it fails the culprit.
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
