import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rebuild } from '../../../../src/cli/replay/compare.ts';
import { repairPayments } from '../../../../src/cli/replay/repair-payments.ts';
import { type Repair, repairTests } from '../../../../src/cli/replay/repair-tests.ts';
import type { RepairableSource } from '../../../../src/cli/replay/source.ts';
import { prng } from '../../../support/prng/prng.ts';
import { T0 } from '../../../support/process/instants.ts';
import {
  type Answers,
  askPatiently,
  type StorageReplica,
  withReplica,
  writeTests,
} from './a-log.ts';
import { DAMAGES, type DamageKind, damage, isMistake, mistake } from './damages.ts';
import { chain } from './histories.ts';
import type { Cluster } from './nats-cluster.ts';

const EARLIER = 12;
const LATER = 12;

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

/** Damages after which neither `TESTS` nor the bucket `status` is there. */
const LOSES_TESTS = /^(older store|swapped files of (KV_status and TESTS|TESTS and KV_status))$/;

/**
 * Writes a log, damages the files of one of its nodes while that is down, and asks everything again: where
 * the damaged node leads, and after a repair where each does.
 */
export async function storageRound(
  cluster: Cluster,
  seed: number,
  only?: DamageKind,
): Promise<Outcome> {
  const random = prng(seed);
  const folder = await mkdtemp(join(tmpdir(), 'storage-'));
  const olderDir = join(folder, 'older');
  const file = cluster.replicas === 1 ? join(folder, 'high-water.json') : undefined;
  const victim = random.pick(cluster.nodes);
  const stop = () => (random.chance(0.5) ? victim.kill() : victim.stop());
  try {
    await withReplica(cluster, (replica) => writeTests(replica, 0, EARLIER), { file });
    await stop();
    await cp(victim.storeDir, olderDir, { recursive: true });
    await victim.start();
    await cluster.settled();

    const before = await withReplica(
      cluster,
      async (replica) => {
        await writeTests(replica, EARLIER, LATER);
        return askPatiently(replica, EARLIER + LATER);
      },
      { file },
    );
    const kind = only ?? random.pick(DAMAGES);
    const mistaken = isMistake(kind) ? await mistake(cluster.connection, kind, random) : '';
    await stop();
    const { storeDir } = victim;
    const what = isMistake(kind) ? mistaken : await damage({ storeDir, olderDir }, kind, random);
    const isUp = await victim.start().then(
      () => true,
      () => false,
    );
    if (isUp) await cluster.settled();
    if (isUp) await cluster.lead(victim.name);
    return { what, ...(await serveAgain(cluster, before, { what, file })) };
  } finally {
    await cluster.clear();
    await rm(folder, { recursive: true, force: true });
  }
}

async function serveAgain(
  cluster: Cluster,
  before: ReadonlyMap<string, Answers>,
  { what, file }: { readonly what: string; readonly file: string | undefined },
): Promise<Omit<Outcome, 'what'>> {
  const isAlone = cluster.replicas === 1;
  let repairs: readonly Repair[] = [];
  const repair = async (source: RepairableSource) => {
    repairs = await repairAll(source);
  };
  const nothing = { same: 0, frozen: before.size, wrong: [] };
  const ask = (replica: StorageReplica) => askPatiently(replica, before.size);
  const served = await withReplica(cluster, ask, { file }).catch(() => undefined);
  const damaged = served ? sumUp(compareAll(before, served)) : nothing;
  // Beside a replica that serves; else what an operator does about a log on which the service does not start.
  await (served
    ? withReplica(cluster, repair, { file })
    : withReplica(cluster, async () => {}, { file, prepare: repair }).catch((error: unknown) => {
        if (!isAlone) throw error;
      }));

  const wrong = [...damaged.wrong];
  const left = repairs.filter((one) => !one.repaired).map((one) => `${one.subject}: ${one.why}`);
  let same = before.size;
  for (const { name } of cluster.nodes) {
    if (!isAlone) await cluster.lead(name);
    const asked = withReplica(cluster, ask, { file });
    const answered = await (isAlone ? asked.catch(() => undefined) : asked);
    const after = answered ? sumUp(compareAll(before, answered)) : nothing;
    same = Math.min(same, after.same);
    wrong.push(
      ...after.wrong
        // With the tests and their lines what nobody else knows is gone: the operator has accepted that.
        .filter((one) => !isAlone || !LOSES_TESTS.test(what) || !one.endsWith(GONE))
        .map((one) => `repaired, ${name} leads: ${one}`),
    );
    if (!isAlone && after.frozen > 0) left.push(`${name} leads: ${after.frozen} stay frozen`);
  }
  return {
    ended: served ? 'served' : 'refused',
    ...{ same: damaged.same, frozen: damaged.frozen, healed: same - damaged.same, left, wrong },
  };
}

/** By test `same`, `frozen`, or what is wrong. */
export const compareAll = (
  before: ReadonlyMap<string, Answers>,
  after: ReadonlyMap<string, Answers>,
): ReadonlyMap<string, string> =>
  new Map([...before].map(([id, one]) => [id, compare(id, one, after.get(id))]));

export function sumUp(compared: ReadonlyMap<string, string>) {
  const all = [...compared.values()];
  return {
    same: all.filter((one) => one === 'same').length,
    frozen: all.filter((one) => one === 'frozen').length,
    wrong: all.filter((one) => one !== 'same' && one !== 'frozen'),
  };
}

/** `replay repair` and `replay rebuild`, beside the replica. */
export async function repairAll(source: RepairableSource): Promise<readonly Repair[]> {
  const options = { now: () => T0 + 120_000, progress: () => {}, dryRun: false };
  const repairs = [
    ...(await source.repairBuckets(options)).map(({ stream, ...one }) => ({
      ...{ subject: stream, seq: 0 },
      ...one,
    })),
    ...(await repairTests(source, options)),
    ...(await repairPayments(source, { ...options, chain })),
  ];
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
