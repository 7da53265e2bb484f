import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import type { TestEvent } from '../../../src/domain/events.ts';
import { anEvent } from '../../support/log/events.ts';
import { type Replicas, startReplicas } from '../../support/log/replicas.ts';
import { quantile } from './statistics.ts';

const WAITERS = 1000;

/** Longest time from the change in the log to the answer, in milliseconds, for 99 of 100. */
const MOST_MS = 100;

/** Rounds before those that count. */
const WARM_UP = 3;

/** Ticks of the kernel's clock in a second: what /proc counts processor time in. */
const TICKS = 100;

/** One client each: the service believes the address that its proxy states. */
const address = (index: number) => `10.${index % 250}.${Math.floor(index / 250)}.1`;

/** Processor time in milliseconds, and memory in MiB, of a process. */
function usageOf(pid: number) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(status) ?? [];
  return {
    cpuMs: ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS,
    mib: Number(kib) / 1024,
  };
}

/** Asks for a status and waits; resolves to when the first byte of the answer came. */
function wait(url: string, agent: Agent, index: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const headers = { prefer: 'wait=30', 'x-forwarded-for': address(index) };
  const sent = request(url, { agent, headers }, (answer) => {
    resolve(performance.timeOrigin + performance.now());
    if (answer.headers['preference-applied'] === undefined) reject(new Error('It did not wait.'));
    answer.resume();
  });
  sent.on('error', reject);
  sent.end();
  return promise;
}

/** A thousand waiters at one replica on so many tests; the changes are another writer's. */
async function measure(replicas: Replicas, tests: number) {
  const created = await Promise.all(
    Array.from({ length: tests }, (_, index) => replicas.created(index % 2)),
  );
  const agent = new Agent({ keepAlive: true, maxSockets: WAITERS });
  const pid = replicas.pid(0);
  const before = usageOf(pid);
  const idOf = (index: number) => created[index % tests]?.test_id ?? '';
  const answers = Array.from({ length: WAITERS }, (_, index) =>
    wait(`${replicas.http(0)}/v1/tests/${idOf(index)}/status`, agent, index),
  );
  // All of them wait when a poll is answered after the last has been read.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const waiting = usageOf(pid);

  const changedAt = new Map<string, number>();
  await Promise.all(
    created.map(async ({ test_id }) => {
      const last = (await replicas.tests.read(test_id)).at(-1)?.seq ?? 0;
      const at = new Date().toISOString();
      const event = { ...anEvent('MailRefused'), at, by: 'another' } as TestEvent;
      const { outcome } = await replicas.tests.append(test_id, event, last);
      if (outcome !== 'appended') throw new Error(`The change is ${outcome}.`);
      // The change is made when it is durable: how long the disk takes is the log's.
      changedAt.set(test_id, performance.timeOrigin + performance.now());
    }),
  );
  const answered = await Promise.all(answers);
  const after = usageOf(pid);
  agent.destroy();
  const delays = answered.map((at, index) => at - (changedAt.get(idOf(index)) ?? at));
  return { delays, before, waiting, after };
}

/** `npm run bench -- waiting`: 1 when an answer of a hundred comes later than it should. */
export async function benchWaiting(): Promise<number> {
  const replicas = await startReplicas(2, { TRUST_PROXY: '127.0.0.1' });
  let missed = false;
  try {
    // What runs for the first time is compiled first.
    for (let round = 0; round < WARM_UP; round++) await measure(replicas, 1);
    for (const tests of [1, 100]) {
      const { delays, before, waiting, after } = await measure(replicas, tests);
      const p99 = quantile(delays, 0.99);
      missed ||= p99 > MOST_MS;
      const ms = (value: number) => value.toFixed(0);
      console.log(
        `${WAITERS} waiters on ${tests} tests: p50 ${ms(quantile(delays, 0.5))} ms, p99 ${ms(p99)} ms (at most ${MOST_MS}), ` +
          `load ${loadavg()[0]?.toFixed(1)}; processor ${ms(waiting.cpuMs - before.cpuMs)} ms to wait and ${ms(after.cpuMs - waiting.cpuMs)} ms to answer; ` +
          `memory ${ms(before.mib)}, ${ms(waiting.mib)}, ${ms(after.mib)} MiB before, waiting, after`,
      );
    }
  } finally {
    await replicas.stop();
  }
  return missed ? 1 : 0;
}
