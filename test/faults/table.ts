/** Lists all worlds with the faults that can be played in each, and opens them. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fault, Room, Row } from './fault.ts';
import { FILE_ROWS, openFiles } from './files/files.ts';
import { toFault } from './operations/operation.ts';
import { operations } from './operations/operations.ts';
import { startStage } from './play.ts';
import { leaders, otherRelease } from './rows/leaders.ts';
import { liesOfFacilitator, liesOfNode, liesThatFit } from './rows/lies.ts';
import { momentsOfMails, momentsOfMoney } from './rows/moments.ts';
import { crowds, wallets } from './rows/money.ts';
import { network } from './rows/network.ts';
import { processes } from './rows/processes.ts';
import { startClusterWorld } from './world/cluster.ts';
import type { World } from './world/parts.ts';
import { mainOf } from './world/release-before.ts';
import { type MoneyName, startWorld } from './world/world.ts';

interface Options {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Path of another checkout of the project. */
  readonly other?: string | undefined;
}

interface Entry {
  readonly rows: readonly Row[];
  open(options: Options): Promise<Room>;
}

const find = (rows: readonly Fault[], name: string): Fault => {
  const row = rows.find((one) => one.name === name);
  if (!row) throw new Error(`There is no row "${name}" here.`);
  return row;
};

/** A world in which one row after another is played. */
function entry(all: readonly Fault[], start: (options: Options) => Promise<World>): Entry {
  return {
    rows: all,
    async open(options) {
      const world = await start(options);
      const stage = startStage(world);
      const rows = options.other ? [...all, otherRelease(options.other)] : all;
      return {
        play: (name, seed, plans) => stage.play(find(rows, name), seed, plans),
        stop: world.stop,
      };
    },
  };
}

const money = (name: MoneyName, rows: readonly Fault[]) => entry(rows, () => startWorld(name));

/** Operations, each in a cluster of its own, because none can use the state that another leaves. */
const inUse: Entry = {
  rows: Object.keys(operations).map((name) => ({ name, isLong: true })),
  open: async (options) => ({
    play: (name, seed) => playOperation(name, seed, options),
    stop: async () => {},
  }),
};

async function playOperation(name: string, seed: number, { env, other }: Options) {
  const main = other && mainOf(other);
  const operation = operations[name]?.(main);
  if (!operation) throw new Error(`There is no operation "${name}".`);
  const folder = await mkdtemp(join(tmpdir(), 'operation-'));
  try {
    const settings = (await operation.prepare?.(folder)) ?? {};
    // A text is the reason why this machine cannot play the operation.
    if (typeof settings === 'string') return [];
    const world = await startClusterWorld({ env: { ...env, ...settings }, main });
    try {
      return await startStage(world).play(toFault(name, operation), seed);
    } finally {
      await world.stop();
    }
  } finally {
    operation.end?.();
    await rm(folder, { recursive: true, force: true });
  }
}

/** `npm test` plays these in the cluster only. */
const inCluster = /^(replace|kill|pause) a replica$/;

/** Every world, and what can be done to it. A new fault is a row of one of these lists. */
export const table = {
  processes: money('wallet', [
    ...processes.map((row) => ({ ...row, isLong: row.isLong || inCluster.test(row.name) })),
    ...network,
    ...momentsOfMails,
  ]),
  money: money('wallet', [...crowds, ...wallets, ...momentsOfMoney(true)]),
  node: money('wallet', liesOfNode),
  'two nodes': money('two nodes', liesThatFit),
  facilitator: money('facilitator', [...liesOfFacilitator, ...momentsOfMoney(false)]),
  cluster: entry(
    [...leaders, ...processes.filter(({ name }) => inCluster.test(name))],
    startClusterWorld,
  ),
  operations: inUse,
  files: { rows: FILE_ROWS, open: () => openFiles(1) },
  'files of three': {
    rows: FILE_ROWS.map((row) => ({ ...row, isLong: true })),
    open: () => openFiles(3),
  },
} as const satisfies Readonly<Record<string, Entry>>;

export type RoomName = keyof typeof table;
