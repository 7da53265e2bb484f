/** Starts the service. */

import { runService } from './service/run.ts';

await runService(process.argv.slice(2));
