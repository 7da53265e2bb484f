// The launcher of who develops the service.
import { launch } from '../../src/setup/launch.mjs';
import { development, help } from './scripts.mjs';

if (process.argv[2] === 'help') process.stdout.write(help());
else await launch(development, { withDev: true });
