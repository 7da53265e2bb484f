import { randomBytes, randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { followTests } from '../../../../src/actors/follower/follower.ts';
import { startTimekeeper } from '../../../../src/actors/timekeeper/timekeeper.ts';
import type { LogConnection } from '../../../../src/adapters/nats/connection.ts';
import { jetStreamLog } from '../../../../src/adapters/nats/log.ts';
import { isTestEvent, type TestEvent } from '../../../../src/domain/events.ts';
import { toTestId } from '../../../../src/domain/ids.ts';
import type { EventLog } from '../../../../src/ports/log.ts';
import { createLogger } from '../../../../src/telemetry/logger.ts';
import { eventsOf } from './fill.ts';

const durations = { refusalTimeoutSeconds: 900, analysisTimeoutSeconds: 60 };

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes in use, of the heap and beside it, when everything that can go is gone. */
function memory() {
  for (let round = 0; round < 3; round++) collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return { heapUsed, external };
}

/** Milliseconds. */
async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

const testLog = (connection: LogConnection, stream: string, subjectPrefix: string) =>
  jetStreamLog(connection, { stream, subjectPrefix, isEvent: isTestEvent });

/** An ordered consumer that parses and does nothing else: what no replica can be faster than. */
export async function measureReading(connection: LogConnection, events: number): Promise<number> {
  const consumer = await connection.js.consumers.get('TESTS', {});
  return timed(async () => {
    let read = 0;
    const messages = await consumer.consume({ max_messages: 1000 });
    for await (const message of messages) {
      message.json();
      read++;
      if (read === events) break;
    }
  });
}

/** The rows and the deadlines of a replica that starts: how long, and how much memory. */
export async function measureCatchUp(connection: LogConnection) {
  const logger = createLogger('silent');
  const before = memory();
  const log = testLog(connection, 'TESTS', 'tests');
  const follower = followTests({ log, clock: Date.now, logger });
  const catchUpMs = await timed(() => follower.ready);
  const timekeeper = startTimekeeper({
    log,
    follower,
    order: { placeOf: () => 0 },
    durations,
    clock: Date.now,
    random: Math.random,
    newId: randomUUID,
    replica: 'bench',
    logger,
    onUnrecorded: () => {},
  });
  await timekeeper.ready;
  const after = memory();
  const population = follower.population();
  await timekeeper.stop();
  await follower.stop();
  return {
    catchUpMs,
    live: Object.values(population).reduce((sum, count) => sum + count, 0),
    heapBytes: after.heapUsed - before.heapUsed,
    externalBytes: after.external - before.external,
  };
}

/** Appends one test after the other to each of two streams in turn; milliseconds of each append. */
export async function measureAppends(connection: LogConnection, count: number) {
  const full = testLog(connection, 'TESTS', 'tests');
  const empty = testLog(connection, 'EMPTY', 'empty');
  const append = (log: EventLog<TestEvent>) =>
    timed(async () => {
      const [event] = eventsOf(0, Date.now());
      const id = toTestId(randomBytes(8));
      if (!event || !id) throw new Error('There is nothing to append.');
      const { outcome } = await log.append(id, event, 0);
      if (outcome !== 'appended') throw new Error(`An append ended as ${outcome}.`);
    });
  const times = { full: [] as number[], empty: [] as number[] };
  for (let index = 0; index < count; index++) {
    times.full.push(await append(full));
    times.empty.push(await append(empty));
  }
  return { full: quantiles(times.full), empty: quantiles(times.empty) };
}

function quantiles(times: readonly number[]) {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}
