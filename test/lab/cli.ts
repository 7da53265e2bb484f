/**
 * Runs the commands for developing the service, `npm run lab -- NAME`. Each has a folder, which is loaded
 * only when it is called.
 */

import { runCommand } from '../../src/operator/run-command.ts';
import { usagesOf } from '../../src/setup/scripts.mjs';
import { scripts } from '../run/scripts.mjs';

await runCommand(
  {
    bench: async () => (await import('./bench/bench.ts')).runBench,
    calibrate: async () => (await import('./calibrate/calibrate.ts')).runCalibrate,
    cluster: async () => (await import('./cluster/cluster.ts')).runCluster,
    coaching: async () => (await import('./coaching/coaching.ts')).runCoaching,
    contract: async () => (await import('./contract/contract.ts')).runContract,
    demo: async () => (await import('../environment/demo.ts')).runDemo,
    edge: async () => (await import('../edge/main.ts')).runEdge,
    examples: async () => (await import('./examples/examples.ts')).runExamples,
    faults: async () => (await import('../faults/main.ts')).runFaults,
    files: async () => (await import('./generate/generate.ts')).generateFiles,
    fixes: async () => (await import('./fixes/fixes.ts')).runFixes,
    golden: async () => (await import('./golden/golden.ts')).runGolden,
    monotone: async () => (await import('./monotone/monotone.ts')).runMonotone,
    mta: async () => (await import('../edge/mta/mta.ts')).runMta,
    openapi: async () => (await import('./openapi/openapi.ts')).printApi,
    pack: async () => (await import('./pack/pack.ts')).runPack,
    pictures: async () => (await import('./pictures/pictures.ts')).takePictures,
    plant: async () => (await import('./planted/plant.ts')).runPlant,
    'slow-page': async () => (await import('./slow-page/slow-page.ts')).runSlowPage,
    supply: async () => (await import('./supply/supply.ts')).runSupply,
  },
  usagesOf(scripts),
  ['demo', 'faults'],
  // A developer needs a library's words, and has no operator's secrets.
  (error) => (error instanceof Error ? error.message : String(error)),
);
