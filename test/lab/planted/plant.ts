import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type Planted, planted } from './planted.ts';

/**
 * `node test/lab/planted/plant.ts [WORDS]`: puts each fault of the list into the product, one after the other,
 * runs the tests that should find it, and takes it out again. Ends with 1 when one is not found.
 */
const found = async ({
  file,
  find,
  replace,
  tests,
  only,
}: Planted): Promise<string | undefined> => {
  const whole = await readFile(file, 'utf8');
  if (whole.split(find).length !== 2) return 'the place is not there, or not the only one';
  await writeFile(
    file,
    whole.replace(find, () => replace),
  );
  try {
    const args = ['test/run/run.mjs', 'test', ...tests, ...(only ? ['-t', only] : [])];
    const run = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    let output = '';
    run.stdout.on('data', (chunk) => {
      output += chunk;
    });
    const [code] = await once(run, 'exit');
    if (code === 0) return 'nothing failed';
    console.log(
      output
        .match(/"(?:rule|text)": .*/g)
        ?.slice(0, 2)
        .join(' ') ?? 'a test failed',
    );
    return undefined;
  } finally {
    await writeFile(file, whole);
  }
};

const [words = ''] = process.argv.slice(2);
let missed = 0;
for (const one of planted.filter(({ name }) => name.includes(words))) {
  const why = await found(one);
  if (why) missed++;
  console.log(`${why ? 'MISSED' : 'found '}  ${one.name}${why ? `: ${why}` : ''}`);
}
process.exitCode = missed === 0 ? 0 : 1;
