import { runService } from '../../src/service/run.ts';

/**
 * Runs the service as a child of a test or of the demo, like `src/main.ts` but with what a test replaces.
 */
const [fixed = '{}'] = process.argv.slice(2);
void runService([], JSON.parse(fixed));
