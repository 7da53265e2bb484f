/** Measures what one email costs, alternately on this and on another state of the project. */

import { setTimeout as sleep } from 'node:timers/promises';
import { startDns } from '../../edge/crowd/dns.ts';
import { newSenderKey, senderZone } from '../../environment/sender.ts';
import type { Figure } from './figures.ts';
import { deliver, inLanes, type MeasuredService, startMeasured } from './measured-service.ts';
import { cpuMsOf, threadTimesOf, writtenBy } from './process-cpu.ts';
import { KIB, MIB, sizedMail, sizeName } from './sized-mail.ts';
import { alternate, compare, type Pair } from './statistics.ts';

/** Emails of each size per batch, and senders at once. */
const SIZES = [
  { bytes: 10 * KIB, emails: 128, senders: 64 },
  { bytes: 100 * KIB, emails: 48, senders: 32 },
  { bytes: MIB, emails: 12, senders: 8 },
];

/** Emails of 10 KiB to each side first, because code is still being compiled until then. */
const WARM_EMAILS = 2304;
const ROUNDS = 12;

/** Time until another replica has looked for its copies of reports, in milliseconds. */
const OTHERS_MS = 7000;

/** The cost of one email: processor time in milliseconds, and kB that nats-server has written. */
interface Cost {
  readonly service: number;
  readonly 'main thread': number;
  readonly worker: number;
  readonly 'V8 and libuv': number;
  readonly 'nats-server': number;
  readonly 'written to disk': number;
  readonly 'other replica': number;
}

interface Side extends MeasuredService {
  /** The process of another replica on the same log. */
  readonly other: number;
}

async function usedBy({ pid, natsPid, other }: Side): Promise<Cost> {
  const { main, workers, helpers } = await threadTimesOf(pid);
  return {
    service: main + workers + helpers,
    'main thread': main,
    worker: workers,
    'V8 and libuv': helpers,
    'nats-server': await cpuMsOf(natsPid),
    'written to disk': (await writtenBy(natsPid)) / 1000,
    'other replica': await cpuMsOf(other),
  };
}

/**
 * Measures what one email costs the service and its surroundings, alternating with another state of the
 * project.
 * @param before the other state's folder, with its packages installed
 */
export async function benchPairs(before: string): Promise<readonly Figure[]> {
  await using stack = new AsyncDisposableStack();
  const key = newSenderKey();
  const dns = await startDns();
  stack.defer(dns.stop);
  await dns.call('setZone', senderZone(key));
  const start = async (checkout?: string): Promise<Side> => {
    const service = await startMeasured(dns.address, checkout);
    stack.defer(service.stop);
    return { ...service, other: await service.addReplica() };
  };
  const [ours, theirs] = [await start(), await start(before)];

  const send = async (side: Side, mail: Buffer, count: number, senders: number) => {
    const tests = await side.createTests(count);
    const jobs = tests.map(
      ({ address }) =>
        () =>
          deliver(() => mail, address, side.via),
    );
    const begin = await usedBy(side);
    await inLanes(senders, jobs);
    await sleep(OTHERS_MS);
    const end = await usedBy(side);
    const parts = Object.keys(begin) as (keyof Cost)[];
    const each = parts.map((part) => [part, (end[part] - begin[part]) / count]);
    return Object.fromEntries(each) as unknown as Cost;
  };

  const figures: Figure[] = [];
  for (const [at, { bytes, emails, senders }] of SIZES.entries()) {
    const mail = await sizedMail(bytes, 'anybody@in.example.net', key);
    const warm = at === 0 ? WARM_EMAILS : emails;
    for (const side of [ours, theirs]) await send(side, mail, warm, senders);
    const batch = (side: Side) => () => send(side, mail, emails, senders);
    const pairs = await alternate(ROUNDS, batch(ours), batch(theirs));
    figures.push(...toFigures(sizeName(bytes), pairs));
  }
  return figures;
}

function toFigures(size: string, pairs: readonly Pair<Cost>[]): readonly Figure[] {
  const parts = Object.keys(pairs[0]?.ours ?? {}) as (keyof Cost)[];
  return parts.map((part) => ({
    what: `${size}, ${part}`,
    unit: part === 'written to disk' ? 'kB' : 'ms',
    ...compare(
      pairs.map(({ ours, yardstick }) => ({ ours: ours[part], yardstick: yardstick[part] })),
    ),
  }));
}
