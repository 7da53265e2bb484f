import { describe, expect, test } from 'vitest';
import { publicSuites } from '../../../src/cli/conformance/public-suites.ts';

const { suites } = publicSuites(process.env.CORPUS_DIR);

// They are not part of this repository: docs/conformance.md says where they come from.
test('a CORPUS_DIR that is set holds a suite', () => {
  expect(suites.length > 0).toBe(Boolean(process.env.CORPUS_DIR));
});

describe.each(suites)('$name', ({ cases, excepted }) => {
  test.each(cases)('$name', async ({ name, run }) => {
    const instead = await run();
    if (instead === null) expect(excepted).not.toHaveProperty([name]);
    else expect(excepted, instead).toHaveProperty([name]);
  });
});
