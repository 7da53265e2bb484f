/** Starts the service as a process: the entry point of `npm start`. */

// Comes first, because the other imports need a newer Node.js.
import './setup/needs-node.mjs';
import { runService } from './service/run.ts';

await runService(process.argv.slice(2));
