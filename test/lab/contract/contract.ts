import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Contract } from '../../support/api/contract.ts';
import { startStack } from '../../support/process/stack.ts';
import { observeMails } from './answers.ts';
import { useClients } from './clients.ts';
import { observeFaults } from './faults.ts';
import { fuzzCalls } from './fuzz.ts';
import { generateClients } from './generate.ts';
import { followGuide } from './guide.ts';
import { lintDocument } from './linters.ts';
import { mails } from './mails.ts';
import { observeAnswers } from './observer.ts';
import { probeRegistries } from './registries.ts';

interface Plan {
  readonly mails: number;
  readonly calls: number;
  readonly seed: number;
  /** Generates clients and runs the linters as well. */
  readonly tools: boolean;
}

/** One part of the check: what was done, and what is wrong. */
export interface Part {
  readonly name: string;
  readonly done: string;
  readonly wrong: readonly string[];
}

/** Holds a live service to the document that it serves, part by part. */
export async function checkContract(
  plan: Plan,
  onPart: (part: Part) => void = () => {},
): Promise<readonly Part[]> {
  const parts: Part[] = [];
  const add = (name: string, done: string, wrong: readonly string[]) => {
    parts.push({ name, done, wrong });
    onPart({ name, done, wrong });
  };
  const folder = await mkdtemp(join(tmpdir(), 'contract-'));
  const stack = await startStack();
  try {
    const document = (await (await fetch(`${stack.http()}/openapi.json`)).json()) as Contract;
    const answers = observeAnswers(document);
    await observeMails(stack, answers, plan.mails);
    await observeFaults(answers);
    add('answers', `${answers.count()} answers, ${Math.min(plan.mails, mails.length)} mails`, [
      ...answers.violations,
      ...answers.unseen().map((one) => `${one} was not seen`),
    ]);

    const fuzzed = observeAnswers(document);
    const calls = await fuzzCalls(stack.http(), fuzzed, { count: plan.calls, seed: plan.seed });
    add('fuzz', `${calls} calls, seed ${plan.seed}`, [...fuzzed.violations]);

    const { test_id } = await followGuide(stack);
    add('llms.txt', `the report of ${test_id}, by its lines of curl`, []);
    add('registries', 'the probes of a registry', await probeRegistries(stack.http()));
    if (plan.tools) {
      add('linters', 'Redocly and Spectral', await lintDocument(folder, document));
      const wrong = await generateClients(folder);
      add('clients', 'two, generated and compiled', wrong);
      if (wrong.length === 0) add('flow', 'the flow by both', await useClients(folder, stack));
    }
    return parts;
  } finally {
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** `npm run lab -- contract [--mails N --calls N --seed N]`: 1 when anything is not as documented. */
export async function runContract(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      mails: { type: 'string', default: String(mails.length) },
      calls: { type: 'string', default: '5000' },
      seed: { type: 'string', default: '1' },
    },
  });
  const plan = {
    mails: Number(values.mails),
    calls: Number(values.calls),
    seed: Number(values.seed),
    tools: true,
  };
  const parts = await checkContract(plan, ({ name, done, wrong }) => {
    console.log(`${name.padEnd(10)}  ${done}: ${wrong.length} violations`);
    for (const one of wrong.slice(0, 20)) console.log(`  ${one}`);
  });
  return parts.every(({ wrong }) => wrong.length === 0) ? 0 : 1;
}
