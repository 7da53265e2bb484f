// Runs the npm scripts for developing the service; `src/setup/run.mjs` runs those for anyone who runs it.
import { launch } from '../../src/setup/launch.mjs';
import { development, help } from './scripts.mjs';

if (process.argv[2] === 'help') process.stdout.write(help());
else await launch(development, { withDev: true });
