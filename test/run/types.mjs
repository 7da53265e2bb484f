// `npm run types`: the types alone, as `npm test` checks them.
import { checks } from './checks.mjs';
import { capture } from './steps.mjs';

const steps = checks('').find(({ name }) => name === 'types')?.steps ?? [];
const { ok, output, seconds } = await capture(steps);
console.log(ok ? `pass  types (${seconds} s)` : output);
process.exitCode = ok ? 0 : 1;
