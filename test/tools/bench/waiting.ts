import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
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

/** Rounds that count: of one alone a single pause of the machine would be the answer. */
const ROUNDS = 5;

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

/** A client that costs little, since it shares the processors: resolves to when its answer came. */
function wait(url: URL, index: number) {
  const { promise: answered, resolve, reject } = Promise.withResolvers<number>();
  const socket = connect(Number(url.port), url.hostname);
  socket.on('error', reject);
  socket.on('data', (bytes) => {
    resolve(performance.timeOrigin + performance.now());
    if (!bytes.includes('preference-applied: wait=')) reject(new Error('It did not wait.'));
  });
  socket.write(
    `GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nPrefer: wait=30\r\nX-Forwarded-For: ${address(index)}\r\n\r\n`,
  );
  return { socket, answered };
}

/** A thousand waiters at one replica on so many tests; the changes are another writer's. */
async function measure(replicas: Replicas, tests: number) {
  const created = await Promise.all(
    Array.from({ length: tests }, (_, index) => replicas.created(index % 2)),
  );
  const pid = replicas.pid(0);
  const before = usageOf(pid);
  const idOf = (index: number) => created[index % tests]?.test_id ?? '';
  const waiters = Array.from({ length: WAITERS }, (_, index) =>
    wait(new URL(`${replicas.http(0)}/v1/tests/${idOf(index)}/status`), index),
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
  const answered = await Promise.all(waiters.map((waiter) => waiter.answered));
  for (const { socket } of waiters) socket.destroy();
  const after = usageOf(pid);
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
      const rounds = [];
      for (let round = 0; round < ROUNDS; round++) rounds.push(await measure(replicas, tests));
      missed ||= report(tests, rounds);
    }
  } finally {
    await replicas.stop();
  }
  return missed ? 1 : 0;
}

/** Prints what was measured; true when it took too long. */
function report(tests: number, rounds: readonly Awaited<ReturnType<typeof measure>>[]): boolean {
  const delays = rounds.flatMap((round) => round.delays);
  const p99 = quantile(delays, 0.99);
  const middle = (value: (round: (typeof rounds)[number]) => number) =>
    quantile(rounds.map(value), 0.5).toFixed(0);
  console.log(
    `${WAITERS} waiters on ${tests} tests, ${ROUNDS} rounds: p50 ${quantile(delays, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms (at most ${MOST_MS}), ` +
      `load ${loadavg()[0]?.toFixed(1)}; in the middle round processor ${middle(({ waiting, before }) => waiting.cpuMs - before.cpuMs)} ms to wait ` +
      `and ${middle(({ after, waiting }) => after.cpuMs - waiting.cpuMs)} ms to answer; ` +
      `memory ${middle(({ before }) => before.mib)}, ${middle(({ waiting }) => waiting.mib)}, ${middle(({ after }) => after.mib)} MiB before, waiting, after`,
  );
  return p99 > MOST_MS;
}
