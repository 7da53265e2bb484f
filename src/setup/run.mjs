// The launcher of who runs the service.
import { launch } from './launch.mjs';
import { scripts } from './scripts.mjs';

await launch(scripts);
