/** Lists the checks that need no test run: types, lint, unused code and the OpenAPI document. */

import { join } from 'node:path';

/**
 * @typedef {{ program: string, args: string[], into?: string }} Step `into`: the file that its
 *   stdout goes to
 * @typedef {{ name: string, steps: Step[] }} Check
 */

/**
 * Returns the checks that need no test run. Each counts as one in the total.
 *
 * @param {string} workDir for what one step leaves to the next
 * @returns {Check[]}
 */
export function checks(workDir) {
  const description = join(workDir, 'openapi.json');
  // Several checkers that run at once would each work out the types that they share.
  const tsc = ['--noEmit', '--singleThreaded'];
  return [
    {
      name: 'types',
      steps: [
        { program: 'tsc', args: tsc },
        // Code that runs in browsers knows the DOM, and nothing of Node.js.
        { program: 'tsc', args: [...tsc, '-p', 'src/api/pages/browser'] },
      ],
    },
    {
      name: 'lint',
      steps: [
        {
          program: 'biome',
          args: ['check', '--config-path', '.biome.json', '--error-on-warnings'],
        },
      ],
    },
    { name: 'unused code', steps: [{ program: 'knip', args: ['--no-progress'] }] },
    {
      name: 'OpenAPI',
      steps: [
        { program: 'node', args: ['test/lab/cli.ts', 'openapi'], into: description },
        { program: 'redocly', args: ['lint', '--config', '.redocly.yaml', description] },
      ],
    },
  ];
}
