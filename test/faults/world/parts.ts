/**
 * Defines the parts of a world (its replicas, its nats-servers and its chain node), and how to wait
 * for replicas and kill them.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from 'viem';
import type { Durations } from '../../../src/projection/deadlines.ts';
import type { Log } from '../../../src/service/log.ts';
import type { Environment } from '../../environment/environment.ts';
import type { startService } from '../../environment/service-process.ts';
import type { startFacilitator } from '../../support/payments/facilitator.ts';
import type { Fate } from '../../support/payments/rpc-proxy.ts';
import type { Broadcast } from '../judge/history.ts';
import type { Gate } from './gate.ts';
import type { Observer } from './observer.ts';
import type { ClockOrder } from './wall-clock.ts';

type Service = Awaited<ReturnType<typeof startService>>;

/** A replica: what its clients know of it, and how to damage it. A process that dies is started again. */
export interface Replica {
  readonly id: string;
  http(): string;
  smtp(): { readonly host: string; readonly port: number };
  pid(): number;
  /** Sets the replica's wall clock this many milliseconds ahead of the true time, or behind it if negative. */
  setClock(wrongByMs: number): Promise<void>;
  /** Sends SIGTERM, and then starts another process in its place. */
  replace: Service['replace'];
  /** The proxy to its log. Exists only in a world with one nats-server. */
  readonly gate?: Gate;
  readonly wallet?: Hex;
  readonly walletFile?: string;
}

/** A nats-server of the world, and how to kill and start it. */
export interface Server {
  readonly name: string;
  pid(): number;
  kill(): Promise<void>;
  /** Starts the server, where nobody else does. */
  start(): Promise<void>;
}

/** The system under test, and what can be seen of it. */
export interface World {
  readonly environment: Environment;
  readonly replicas: readonly Replica[];
  readonly servers: readonly Server[];
  readonly node: Node;
  readonly facilitator: Awaited<ReturnType<typeof startFacilitator>>;
  readonly log: Log;
  readonly observer: Observer;
  /** The logs of all replicas. */
  readonly lines: readonly string[];
  /** Transactions that were sent to the chain. */
  readonly broadcasts: readonly Broadcast[];
  /** Texts that no log may show. */
  readonly secrets: readonly string[];
  readonly durations: Durations;
  /** Resolves when every part works. */
  whole(): Promise<unknown>;
  stop(): Promise<void>;
}

interface Node {
  /** Decides the fate of each request. `undefined` lets it pass. */
  fail(rule?: (method: string, body: string) => Fate | undefined): void;
}

/** Time for a service to become ready again, in milliseconds. */
const READY_MS = 90_000;

export const toReplica = (id: string, service: Service): Replica => ({
  id,
  http: () => service.listening().http,
  smtp() {
    const [host = '', port = ''] = service.listening().smtp.split(/:(?=\d+$)/);
    return { host, port: Number(port) };
  },
  pid: () => service.listening().pid,
  setClock: (wallClockMs) => service.notify({ wallClockMs } satisfies ClockOrder),
  replace: (change) => service.replace(change),
});

/** Checks again until the condition is met. A check that throws shows nothing. */
export async function waitFor(
  what: string,
  holds: () => Promise<boolean>,
  withinMs = READY_MS,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await holds().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`Not seen in ${withinMs / 1000} s: ${what}.`);
    await sleep(25);
  }
}

export const untilReady = ({ id, http }: Replica) =>
  waitFor(`${id} is ready`, async () => {
    const { ok } = await fetch(`${http()}/readyz`, { signal: AbortSignal.timeout(1000) });
    return ok;
  });

/** Kills the process of a replica with SIGKILL, and waits until its supervisor has started another one. */
export async function killReplica(replica: Replica): Promise<void> {
  const pid = replica.pid();
  process.kill(pid, 'SIGKILL');
  await waitFor(`another process of ${replica.id}`, async () => replica.pid() !== pid);
}
