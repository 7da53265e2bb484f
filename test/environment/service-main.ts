/** Runs the service as a child of a test or of the demo, with values that a test replaces. */

import { runService } from '../../src/service/run.ts';

const [fixed = '{}'] = process.argv.slice(2);
void runService([], JSON.parse(fixed));
