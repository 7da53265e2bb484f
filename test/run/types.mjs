// Runs `npm run types`, which checks only the types, as `npm test` does.
import { checks } from './checks.mjs';
import { capture } from './steps.mjs';

const steps = checks('').find(({ name }) => name === 'types')?.steps ?? [];
const { ok, output, seconds } = await capture(steps);
console.log(ok ? `pass  types (${seconds} s)` : output);
process.exitCode = ok ? 0 : 1;
