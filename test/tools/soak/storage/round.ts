import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectNats } from '../../../../src/adapters/nats/connection.ts';
import { rebuild } from '../../../../src/cli/replay/compare.ts';
import { repairPayments } from '../../../../src/cli/replay/repair-payments.ts';
import { type Repair, repairTests } from '../../../../src/cli/replay/repair-tests.ts';
import { type NatsServer, startNats } from '../../../support/log/nats-server.ts';
import { type Prng, prng } from '../../../support/prng/prng.ts';
import { T0 } from '../../../support/process/instants.ts';
import {
  type Answers,
  askAll,
  chain,
  type StorageSource,
  startReplica,
  writeTests,
} from './a-log.ts';
import { DAMAGES, damage, isMistake, mistake } from './damages.ts';

export const EARLIER = 12;
export const LATER = 12;

/** What became of a log whose files were damaged. */
export interface Outcome {
  readonly what: string;
  /** `refused`: the service does not start, and says why. */
  readonly ended: 'refused' | 'served';
  readonly same: number;
  readonly frozen: number;
  /** Of the frozen ones, those that a repair brought back. */
  readonly healed: number;
  /** What the repair could not bring back, and why. */
  readonly left: readonly string[];
  /** Answers that should not have been given. */
  readonly wrong: readonly string[];
}

/** As an answer ends that says that there is no such test. */
const GONE = 'became 404 test_not_found / 404 test_not_found';

/** How long a start may take before it counts as none, in milliseconds. */
const START_MS = 30_000;

/** Writes a log, damages its files while its server is down, and asks everything again. */
export async function storageRound(seed: number): Promise<Outcome> {
  const random = prng(seed);
  const folder = await mkdtemp(join(tmpdir(), 'storage-'));
  const file = join(folder, 'high-water.json');
  const olderDir = join(folder, 'older');
  const server = await startNats();
  const stop = () => (random.chance(0.5) ? server.kill() : server.stop());
  try {
    const early = await startReplica(server, file);
    await writeTests(early, 0, EARLIER);
    await early.follower.ready;
    await early.noteMarks();
    await early.stop();
    await stop();
    await cp(server.storeDir, olderDir, { recursive: true });
    await server.start();

    const later = await startReplica(server, file);
    await writeTests(later, EARLIER, LATER);
    const before = await askAll(later, EARLIER + LATER);
    await later.projected();
    await later.noteMarks();
    await later.stop();
    const kind = random.pick(DAMAGES);
    const mistaken = isMistake(kind) ? await mistakeOn(server, kind, random) : '';
    await stop();

    const { storeDir } = server;
    const what = isMistake(kind) ? mistaken : await damage({ storeDir, olderDir }, kind, random);
    return { what, ...(await serveAgain(server, file, before, what)) };
  } finally {
    await server.end();
    await rm(folder, { recursive: true, force: true });
  }
}

async function mistakeOn({ url }: NatsServer, kind: Parameters<typeof mistake>[1], random: Prng) {
  const connection = await connectNats({ url, name: 'operator' });
  const what = await mistake(connection, kind, random);
  await connection.close();
  return what;
}

async function serveAgain(
  server: Awaited<ReturnType<typeof startNats>>,
  file: string,
  before: ReadonlyMap<string, Answers>,
  what: string,
): Promise<Omit<Outcome, 'what'>> {
  let repairs: readonly Repair[] = [];
  let isRunning = false;
  const repair = async (source: StorageSource) => {
    repairs = await repairAll(source);
  };
  const leftOf = () =>
    repairs.filter((one) => !one.repaired).map((one) => `${one.subject}: ${one.why}`);
  const nothing = { same: 0, frozen: before.size, wrong: [] };

  const replica = await start();
  const damaged = replica ? compareAll(before, await askAll(replica, before.size)) : nothing;
  if (replica) await repair(replica);
  await replica?.stop();
  // What an operator does about a log on which the service does not start.
  const repaired = await start(replica ? undefined : repair);
  const after = repaired ? compareAll(before, await askAll(repaired, before.size)) : nothing;
  await repaired?.stop();
  return {
    ended: replica ? 'served' : 'refused',
    same: damaged.same,
    frozen: damaged.frozen,
    healed: after.same - damaged.same,
    left: leftOf(),
    // With the whole store what nobody else knows is gone: the operator has accepted that.
    wrong: [
      ...damaged.wrong,
      ...after.wrong
        .filter((one) => what !== 'older store' || !one.endsWith(GONE))
        .map((one) => `repaired: ${one}`),
    ],
  };

  async function start(prepare?: typeof repair) {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, START_MS, undefined);
    });
    try {
      if (!isRunning) await server.start();
      isRunning = true;
      return await Promise.race([startReplica(server, file, prepare), late]);
    } catch {
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}

export function compareAll(
  before: ReadonlyMap<string, Answers>,
  after: ReadonlyMap<string, Answers>,
) {
  const pairs = [...before].map(([id, one]) => compare(id, one, after.get(id)));
  return {
    same: pairs.filter((one) => one === 'same').length,
    frozen: pairs.filter((one) => one === 'frozen').length,
    wrong: pairs.filter((one) => one !== 'same' && one !== 'frozen'),
  };
}

/** `replay repair` and `replay rebuild`, beside the replica. */
export async function repairAll(source: StorageSource): Promise<readonly Repair[]> {
  const options = { now: () => T0 + 120_000, progress: () => {}, dryRun: false };
  const repairs = [
    ...(await repairTests(source, options)),
    ...(await repairPayments(source, { ...options, chain })),
  ];
  for (const { restore } of await source.lostLines()) await restore();
  await rebuild(source, { ...options, settleMs: 0 });
  return repairs;
}

/** Each answer is the one of before or a 503: never another status, never 402 for what was paid. */
function compare(id: string, before: Answers, after: Answers | undefined): string {
  const fits = (one: string, other = '') => one === other || other.startsWith('503 ');
  if (!after || !fits(before.status, after.status) || !fits(before.report, after.report))
    return `${id}: ${before.status.slice(0, 90)} / ${before.report.slice(0, 20)} became ${after?.status.slice(0, 90)} / ${after?.report.slice(0, 20)}`;
  return before.status === after.status && before.report === after.report ? 'same' : 'frozen';
}
