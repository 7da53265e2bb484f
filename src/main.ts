/** Starts the service as a process: the entry point of `npm start`. */

import { runService } from './service/run.ts';

await runService(process.argv.slice(2));
