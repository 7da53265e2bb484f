import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { payingFetch } from '../../../environment/payer.ts';
import type { Test } from '../../mta/bench.ts';
import { deliver } from '../mails/deliver.ts';
import { KIB, sizedMail } from '../sized-mail.ts';
import { type Place, startPlace, type Used } from './place.ts';
import { type Costs, tables } from './plan.ts';

const USAGE = `npm run bench -- capacity [--json FILE]

  --json FILE    writes the figures into it as well`;

/** Under way at once. */
const AT_ONCE = 16;

/** How often each is done: first without being measured, then measured. */
const COUNTS = {
  creation: [300, 600],
  poll: [1000, 5000],
  mail: [450, 300],
  challenge: [200, 600],
  sale: [20, 80],
  'read again': [200, 1000],
} as const;

type Name = keyof typeof COUNTS;

/**
 * What one creation, poll, mail, and read costs in production's configuration: processor time of the
 * service and of the nodes, and room in the log. Resolves to the exit code.
 */
export async function benchCapacity(args: readonly string[]): Promise<number> {
  const options = readArgs(args);
  if (!options) {
    console.error(USAGE);
    return 2;
  }
  const place = await startPlace();
  try {
    const costs = await measure(place);
    const { measured, computed } = tables(costs);
    console.log(`${measured}\n\n${computed}`);
    if (options.json) await writeFile(options.json, `${JSON.stringify(costs, null, 2)}\n`);
    return 0;
  } finally {
    await place.stop();
  }
}

async function measure(place: Place): Promise<Costs> {
  const { http, environment, via } = place;
  const fresh: Test[] = [];
  const ready: Test[] = [];
  const sold: Test[] = [];
  const raw = await sizedMail(10 * KIB, 'anybody@in.example.net', environment.key);
  const pay = payingFetch(environment.chain.payer.privateKey, environment.env.X402_NETWORK ?? '');
  const report = (test: Test | undefined) => `${http}/v1/report?test_id=${test?.test_id}`;
  const headers = (test: Test | undefined) => ({
    headers: { 'x-read-token': test?.read_token ?? '' },
  });
  const expect = async (answer: Promise<Response>, status: number) => {
    const response = await answer;
    if (response.status !== status) throw new Error(`${response.status} in place of ${status}`);
    return response;
  };
  let turn = 0;
  const any = (tests: readonly Test[]) => tests[turn++ % tests.length];

  const doings: Readonly<Record<Name, () => Promise<unknown>>> = {
    creation: async () => {
      const response = await expect(fetch(`${http}/v1/tests`, { method: 'POST' }), 201);
      fresh.push((await response.json()) as Test);
    },
    poll: async () => {
      const response = await expect(fetch(`${http}/v1/tests/${any(fresh)?.test_id}/status`), 200);
      await response.arrayBuffer();
    },
    mail: async () => {
      const test = fresh.pop();
      if (!test) throw new Error('There are too few tests.');
      await deliver(raw, test.address, via);
      const response = await fetch(`${http}/v1/tests/${test.test_id}/status`);
      const { status } = (await response.json()) as { status: string };
      // On a machine that is busy with other work, an analysis may be given up.
      if (status === 'ready') ready.push(test);
      else console.log(`a mail ended as ${status}`);
    },
    challenge: async () => {
      const test = any(ready);
      await (await expect(fetch(report(test), headers(test)), 402)).arrayBuffer();
    },
    sale: async () => {
      const test = ready.pop();
      await (await expect(pay(report(test), headers(test)), 200)).arrayBuffer();
      if (test) sold.push(test);
    },
    'read again': async () => {
      const test = any(sold);
      await (await expect(fetch(report(test), headers(test)), 200)).arrayBuffer();
    },
  };

  const costs: Partial<Record<Name, Used>> = {};
  for (const [name, [warm, counted]] of Object.entries(COUNTS) as [
    Name,
    readonly [number, number],
  ][]) {
    await repeat(warm, doings[name]);
    const before = await place.used();
    await repeat(counted, doings[name]);
    const after = await place.used();
    const each = (of: keyof Used) => (after[of] - before[of]) / counted;
    costs[name] = {
      main: each('main'),
      others: each('others'),
      nodes: each('nodes'),
      bytes: each('bytes'),
    };
  }
  return costs as Costs;
}

async function repeat(times: number, doing: () => Promise<unknown>): Promise<void> {
  let left = times;
  const run = async () => {
    while (left-- > 0) await doing();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
}

function readArgs(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { json: { type: 'string' } } }).values;
  } catch {
    return undefined;
  }
}
