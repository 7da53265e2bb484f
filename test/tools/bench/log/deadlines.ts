import { setTimeout as sleep } from 'node:timers/promises';
import { reach } from '../../../../src/adapters/nats/outage.ts';
import { cpuMsOf } from '../process-cpu.ts';
import { type Replica, withReplicas } from './replica.ts';
import { playTest } from './requests.ts';

/** Tests made at once. */
const LANES = 64;

/** For an answer of a server that is busy, in milliseconds. */
const PATIENCE_MS = 60_000;

/** Between two looks at what is left to erase, in milliseconds. */
const LOOK_MS = 250;

/** The nats-servers of a log: as many copies as there are. */
export interface Servers {
  readonly url: string;
  readonly pids: readonly number[];
}

const sum = (some: readonly number[]) => some.reduce((total, n) => total + n, 0);

/** How long it takes until so many tests with a report, which all end at one instant, have ended and are erased. */
export const measureDeadlines = ({ url, pids }: Servers, count: number, tests: number) =>
  withReplicas({ url, count, copies: pids.length }, (replicas) => measure(replicas, pids, tests));

async function measure(replicas: readonly Replica[], pids: readonly number[], tests: number) {
  const count = replicas.length;
  const serverCpu = async () => sum(await Promise.all(pids.map(cpuMsOf)));
  const [first] = replicas;
  if (!first) throw new Error('There is no replica.');

  let ended = 0;
  let lastAt = 0;
  first.views.follower.listen(({ recorded: { event } }) => {
    if (event.type !== 'Expired') return;
    ended++;
    lastAt = Date.now();
  });
  // Long enough to make them all.
  const endsAt = Date.now() + 20_000 + tests * 8;
  let next = 0;
  const lane = async () => {
    while (next < tests) {
      const n = next++ % count;
      await playTest(replicas[n] as Replica, `replica-${n}`, endsAt);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await sleep(Math.max(0, endsAt - Date.now()));
  if (ended > 0) throw new Error('The tests ended before all were made.');
  const [own, server] = [process.cpuUsage(), await serverCpu()];
  const before = replicas.map(({ counts }) => counts.get('append') ?? 0);
  while (ended < tests) await sleep(LOOK_MS);
  const after = replicas.map(({ counts }) => counts.get('append') ?? 0);
  const left = async () => {
    const { streams } = first.connection.jsm;
    const messages = async (name: string) =>
      (await reach(() => streams.info(name), PATIENCE_MS)).state.messages;
    return (await messages('REPORTS')) + (await messages('KV_reports')) + (await messages('TESTS'));
  };
  // Their ends stay.
  while ((await left()) > tests) await sleep(LOOK_MS);
  const erasedMs = Date.now() - endsAt;
  const { user, system } = process.cpuUsage(own);
  const serverCpuMs = (await serverCpu()) - server;
  const ownCpuMs = (user + system) / 1000;
  const appends = sum(after) - sum(before);
  return { recordedMs: lastAt - endsAt, erasedMs, appends, ownCpuMs, serverCpuMs };
}
