// Runs the npm scripts for anyone who runs the service; `test/run/run.mjs` runs those for development.
import { launch } from './launch.mjs';
import { scripts } from './scripts.mjs';

await launch(scripts);
