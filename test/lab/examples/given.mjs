// Prints the value of a placeholder in a documentation block (`given NAME`), from the demo through the environment,
// otherwise from the last JSON that the block has printed.
import { readFileSync } from 'node:fs';

const name = process.argv[2] ?? '';
const known = process.env[`GIVEN_${name}`];

/** @returns {string | undefined} */
function answered() {
  const lines = readFileSync(process.env.GIVEN_OUTPUT ?? '', 'utf8').split(/\n|(?<=\})(?=\{)/);
  const last = lines.findLast((line) => line.startsWith('{'));
  return JSON.parse(last ?? '{}')[name.toLowerCase()];
}

const value = known ?? answered();
if (value === undefined) {
  console.error(`Nothing says what ${name} is.`);
  process.exit(1);
}
console.log(value);
