import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { AuthenticationPart, ContentPart, ReadInWorker } from '../../../src/ports/reading.ts';
import type { Zone } from '../../environment/dns-zone.ts';
import { toJob } from '../conformance/verify-raw.ts';
import { askZone, resolverOf } from '../conformance/zone-resolver.ts';

export interface HostileReading {
  readonly authentication: AuthenticationPart | null;
  readonly content: ContentPart | null;
  readonly milliseconds: number;
  /** Longest time the main thread did not answer, in milliseconds: on a busy machine, the machine's. */
  readonly pauseMs: number;
  /** Processor time that the main thread spends at one go, in milliseconds. */
  readonly mainMs: number;
  /** Questions that reached the DNS. */
  readonly questions: number;
}

const NOTHING: Zone = {};

/** Reads one mail as the service does: the header on this thread, the rest in a worker. */
export async function readHostile(
  read: ReadInWorker,
  mail: Uint8Array,
  ownFrom = 0,
): Promise<HostileReading> {
  // A buffer of its own: it is moved to the worker.
  const bytes = new Uint8Array(mail);
  const ask = askZone(NOTHING);
  let questions = 0;
  const resolver = resolverOf((name, type) => {
    questions += 1;
    return ask(name, type);
  });
  const pause = monitorEventLoopDelay({ resolution: 1 });
  pause.enable();
  const used = process.threadCpuUsage();
  const begin = performance.now();
  const job = { ...toJob(bytes.subarray(ownFrom), '2026-11-20T11:00:00.000Z'), ownFrom };
  const reading = read(bytes, job, resolver);
  const { user, system } = process.threadCpuUsage(used);
  const [authentication, content] = await Promise.all([reading.authentication, reading.content]);
  const milliseconds = performance.now() - begin;
  pause.disable();
  return {
    authentication,
    content,
    milliseconds,
    pauseMs: pause.max / 1e6,
    mainMs: (user + system) / 1000,
    questions,
  };
}
