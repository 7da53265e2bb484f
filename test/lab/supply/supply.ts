/**
 * Checks that everything the project fetches is pinned by a hash or a signature, that what it ships has an
 * allowed licence, and that the pinned Node.js is that of `.node-version`.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOptions } from '../../../src/config/command-line.ts';
import { checkImages, checkLock, checkWorkflow } from './check.ts';

const WORKFLOWS = '.github/workflows';
const IMAGES = ['Dockerfile', 'docker-compose.yml', 'docs/deploy/resolver.Dockerfile'];

const read = (file: string) => readFileSync(file, 'utf8');

const NODE_LOCK = 'src/setup/node/package-lock.json';

/** Checks Node.js itself, which the setup downloads if the running one is too old. */
function checkNode(): readonly string[] {
  const { packages } = JSON.parse(read(NODE_LOCK)) as { packages: Parameters<typeof checkLock>[0] };
  const wanted = read('.node-version').trim();
  return [
    ...checkLock(packages).faults,
    ...Object.entries(packages)
      .filter(([path, { version }]) => path !== '' && version !== wanted)
      .map(([path]) => `${NODE_LOCK}: ${path} is not ${wanted}, as .node-version says`),
  ];
}

/**
 * Runs `npm run lab -- supply`: names what is fetched without a hash or a signature. Resolves to the exit
 * code: 1 if there is anything.
 */
export async function runSupply(args: readonly string[]): Promise<number> {
  const { values } = readOptions(args, { images: { type: 'string' } });
  const { faults, unhashedElsewhere } = checkLock(JSON.parse(read('package-lock.json')).packages);
  const digests = values.images === undefined ? null : JSON.parse(read(values.images));
  const all = [
    ...faults,
    ...checkNode(),
    ...readdirSync(WORKFLOWS).flatMap((file) =>
      checkWorkflow(join(WORKFLOWS, file), read(join(WORKFLOWS, file))),
    ),
    ...(digests ? IMAGES.flatMap((file) => checkImages(file, read(file), digests)) : []),
  ];
  for (const fault of all) console.error(fault);
  if (unhashedElsewhere > 0)
    console.log(`${unhashedElsewhere} optional packages of other platforms have no hash`);
  console.log(
    all.length === 0 ? 'all that is fetched is hashed or signed' : `${all.length} faults`,
  );
  return all.length === 0 ? 0 : 1;
}
