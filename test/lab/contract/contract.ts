/** Checks that a live service does what its documents say. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack } from '../../support/process/stack.ts';
import { useClients } from './clients.ts';
import { generateClients } from './generate.ts';
import { followGuide } from './guide.ts';
import { lintDocument } from './linters.ts';
import { probeRegistries } from './registries.ts';

/** A part of the check: what was done, and what is wrong. */
interface Part {
  readonly name: string;
  readonly done: string;
  readonly wrong: readonly string[];
}

/** Compares a live service with what it says about itself, part by part. */
export async function* checkContract(): AsyncGenerator<Part> {
  const folder = await mkdtemp(join(tmpdir(), 'contract-'));
  const stack = await startStack();
  try {
    const { test_id } = await followGuide(stack);
    yield { name: 'llms.txt', done: `the report of ${test_id}, by its lines of curl`, wrong: [] };
    const probed = await probeRegistries(stack.http());
    yield { name: 'registries', done: 'the probes of a registry', wrong: probed };
    const document = (await (await fetch(`${stack.http()}/openapi.json`)).json()) as object;
    const found = await lintDocument(folder, document);
    yield { name: 'linters', done: 'Redocly and Spectral', wrong: found };
    const wrong = await generateClients(folder);
    yield { name: 'clients', done: 'two, generated and compiled', wrong };
    if (wrong.length > 0) return;
    yield { name: 'flow', done: 'the flow by both', wrong: await useClients(folder, stack) };
  } finally {
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs `npm run lab -- contract`. Resolves to 1 if anything is not as documented. */
export async function runContract(): Promise<number> {
  let failed = 0;
  for await (const { name, done, wrong } of checkContract()) {
    console.log(`${name.padEnd(10)}  ${done}: ${wrong.length} violations`);
    for (const one of wrong.slice(0, 20)) console.log(`  ${one}`);
    failed += wrong.length;
  }
  return failed === 0 ? 0 : 1;
}
