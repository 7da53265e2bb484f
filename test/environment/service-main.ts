import { runService } from '../../src/service/run.ts';

/** The service as a child of a test or of the demo: as `src/main.ts`, with what a test replaces. */
const [fixed = '{}'] = process.argv.slice(2);
void runService([], JSON.parse(fixed));
