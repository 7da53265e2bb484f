/**
 * Measures how many polls of a test's status the service answers per second, beside a bare route that returns
 * the same bytes.
 */

import autocannon from 'autocannon';
import { startEnvironment } from '../../environment/environment.ts';
import { startService } from '../../environment/service-process.ts';
import { forkChild } from './child.ts';
import type { Figure } from './figures.ts';
import type { PlainAnswers } from './plain-route.ts';
import { alternate, compare } from './statistics.ts';

const TESTS = 2000;
const CONNECTIONS = 40;

/**
 * Duration of one measurement, in seconds. A single garbage collection, or other work on the core, must not
 * decide it.
 */
const SECONDS = 2;
const ROUNDS = 9;
const WARM_UPS = 2;

/** Smallest share of the yardstick's polls. */
const LEAST = 0.95;

/** Headers that Node sets itself. */
const OWN = ['date', 'connection', 'keep-alive', 'content-length'];

/** Returns the polls per second, over all tests in turn. */
async function pollsASecond(url: string, paths: readonly string[]): Promise<number> {
  const { requests, non2xx, errors } = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: SECONDS,
    requests: paths.map((path) => ({ path })),
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx} polls were refused, ${errors} failed.`);
  return requests.average;
}

/** Measures polls of many tests, beside a bare Fastify route that returns the same bytes. */
export async function benchPolls(): Promise<readonly Figure[]> {
  await using stack = new AsyncDisposableStack();
  const environment = await startEnvironment({ PATH: process.env.PATH });
  stack.defer(environment.stop);
  const service = await startService({ env: environment.env, onLog: () => {} });
  stack.defer(service.stop);
  const { http } = service.listening();

  const bodies = new Map<string, string>();
  let headers: Record<string, string> = {};
  while (bodies.size < TESTS) {
    const created = await fetch(`${http}/v1/tests`, { method: 'POST' });
    const { test_id } = (await created.json()) as { test_id: string };
    const answer = await fetch(`${http}/v1/tests/${test_id}/status`);
    bodies.set(test_id, await answer.text());
    headers = Object.fromEntries([...answer.headers].filter(([name]) => !OWN.includes(name)));
  }
  const plain = await forkChild<number>('./plain-route.ts', {
    headers,
    bodies,
  } satisfies PlainAnswers);
  stack.defer(plain.stop);

  const paths = [...bodies.keys()].map((test_id) => `/v1/tests/${test_id}/status`);
  const ours = () => pollsASecond(http, paths);
  const bare = () => pollsASecond(`http://127.0.0.1:${plain.output}`, paths);
  await alternate(WARM_UPS, ours, bare);
  return [
    {
      what: `polls of ${TESTS} tests`,
      unit: 'a second',
      ...compare(await alternate(ROUNDS, ours, bare)),
      target: { least: LEAST },
    },
  ];
}
