/**
 * Runs `npm run lab -- faults`, which plays faults for a given time and reduces those that show a
 * violation.
 */

import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { readOptions, UsageError } from '../../src/config/command-line.ts';
import { stopSignal } from '../environment/stop-signal.ts';
import { anyPlan, type Plan } from './client/plan.ts';
import type { Room, Row } from './fault.ts';
import type { Violation } from './judge/history.ts';
import { type RoomName, table } from './table.ts';
import { type Checkout, checkOut } from './world/release-before.ts';

const ROOMS = Object.keys(table) as readonly RoomName[];

const USAGE = `npm run lab -- faults [--seconds N] [--room ROOM] [--fault NAME] [--seed N] [--other DIR | --before COMMIT] [--list]

  --seconds N   for how long, in all rooms together; 600 by default
  --room ROOM   in one of: ${ROOMS.join(', ')}
  --fault NAME  one row, or those whose names have these words
  --seed N      repeats the choices of an earlier run
  --other DIR   another checkout, whose replicas come and go
  --before COMMIT  the same, of a commit that is checked out for it
  --list        what there is`;

/** Time for a world to end after a signal, in milliseconds. A service needs 35 s for what is in progress. */
const STOP_MS = 40_000;

/** Rounds during which the machine does nothing else. */
interface Round {
  readonly name: string;
  readonly seed: number;
  readonly plans: readonly Plan[];
}

/**
 * Plays rows in any order, with clients that do anything, for the given time. Findings are reduced: fewer
 * clients that do less, at an earlier row. Resolves to the exit code.
 */
export async function runFaults(args: readonly string[]): Promise<number> {
  const { seed, seconds, chosen, list, help, before, ...values } = readArgs(args);
  if (help) {
    console.log(USAGE);
    return 0;
  }
  if (list) {
    for (const { name, rows } of chosen)
      for (const row of rows)
        console.log(`${name}: ${row.name}${row.found ? ` (${row.found})` : ''}`);
    return 0;
  }
  const rooms = chosen.map(({ name }) => name).join(', ');
  console.log(
    `Runs for ${seconds} s, then ends the round under way: ${rooms}. --seconds N changes that. Seed ${seed}.`,
  );
  let failed = 0;
  const worlds = await startWorlds();
  const other = before === undefined ? values.other : await worlds.checkOut(before);
  const run = { seed, seconds: seconds / chosen.length, other, worlds };
  for (const { name, rows } of chosen) failed += await play(name, rows, run);
  await worlds.end();
  console.log(failed === 0 ? 'Nothing was found.' : `Found in ${failed} rooms.`);
  return failed === 0 ? 0 : 1;
}

/** Opens rooms, one after another. A signal ends the open room, and leaves nothing of it. */
async function startWorlds() {
  const folder = await mkdtemp(join(tmpdir(), 'worlds-'));
  process.env.TMPDIR = folder;
  let opened: Promise<Room> | undefined;
  let isStopped = false;
  let checkout: Checkout | undefined;
  const end = async () => {
    await checkout?.remove();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  void stopSignal().then(async () => {
    isStopped = true;
    const stopping = opened?.then((room) => room.stop()).catch(() => undefined);
    // Something that is broken may not stop.
    await Promise.race([stopping, sleep(STOP_MS)]);
    await end();
    process.exit(1);
  });
  return {
    open: (name: RoomName, other: string | undefined) => {
      opened = table[name].open({ env: process.env, other });
      return opened;
    },
    /** Returns the folder of another commit, which exists as long as the worlds. */
    async checkOut(commit: string): Promise<string> {
      checkout = await checkOut(commit, join(folder, 'before'));
      return checkout.folder;
    },
    isStopped: () => isStopped,
    end,
  };
}

interface Run {
  readonly worlds: Awaited<ReturnType<typeof startWorlds>>;
  readonly seed: number;
  readonly seconds: number;
  readonly other: string | undefined;
}

/** Returns 1 if something was found. */
async function play(name: RoomName, rows: readonly Row[], { worlds, seed, seconds, other }: Run) {
  let room: Room | undefined;
  let played = 0;
  const begun = performance.now();
  const round: fc.Arbitrary<Round> = fc.record({
    name: fc.constantFrom(...rows.map((row) => row.name)),
    seed: fc.nat(),
    plans: fc.array(anyPlan, { maxLength: 6 }),
  });
  async function playOne(one: Round): Promise<void> {
    room ??= await worlds.open(name, other);
    const found = await room
      // Without plans, the row's own clients are alone, and what the row says about them applies.
      .play(one.name, one.seed, one.plans.length > 0 ? one.plans : undefined)
      .catch((error: Error): readonly Violation[] => [
        { rule: 'played', testId: '', text: `${error.stack}` },
      ]);
    // The play failed only because a signal ended its world.
    if (worlds.isStopped()) return new Promise(() => {});
    played += 1;
    const seen = ((performance.now() - begun) / 1000).toFixed(0);
    console.log(`${seen} s  ${name}: ${one.name}, seed ${one.seed}: ${found.length} violations`);
    if (found.length === 0) return;
    // Something that was broken may stay so, and the next row starts in another world.
    await room.stop();
    room = undefined;
    throw new Error(found.map(({ rule, testId, text }) => `${rule} ${testId}: ${text}`).join('\n'));
  }
  let last: Promise<void> | undefined;
  const property = fc.asyncProperty(round, (one) => {
    last = playOne(one);
    return last;
  });
  const details = await fc.check(property, {
    seed,
    numRuns: 1_000_000,
    interruptAfterTimeLimit: seconds * 1000,
    endOnFailure: false,
  });
  // When the time is over, a round is in progress, which needs its world, and counts.
  const error = await last?.then(
    () => undefined,
    (error: Error) => error,
  );
  await room?.stop();
  console.log(`${name}: ${played} rounds`);
  if (!details.counterexample && !error) return 0;
  console.log(`${name}: found, with ${JSON.stringify(details.counterexample)}`);
  console.log((details.errorInstance instanceof Error ? details.errorInstance : error)?.message);
  return 1;
}

/** @throws UsageError */
function readArgs(args: readonly string[]) {
  const { values } = readOptions(args, {
    help: { type: 'boolean', short: 'h', default: false },
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string', default: `${randomInt(2 ** 31)}` },
    fault: { type: 'string', default: '' },
    room: { type: 'string' },
    other: { type: 'string' },
    before: { type: 'string' },
    list: { type: 'boolean', default: false },
  });
  const { room, fault, other, before } = values;
  const [seconds, seed] = [Number(values.seconds), Number(values.seed)];
  if (!(seconds > 0)) throw new UsageError('--seconds has to be a number above 0.');
  if (!Number.isInteger(seed)) throw new UsageError('--seed has to be a whole number.');
  if (other !== undefined && before !== undefined)
    throw new UsageError('--other and --before are two ways to say the same.');
  const rooms = ROOMS.filter((name) => room === undefined || name === room);
  if (rooms.length === 0) throw new UsageError(`There is no room "${room}".`);
  const chosen = rooms.flatMap((name) => {
    const all: readonly Row[] = [
      ...table[name].rows,
      ...(other || before ? [{ name: 'another release' }] : []),
    ];
    const rows = all.filter((row) => row.name.includes(fault));
    return rows.length > 0 ? [{ name, rows }] : [];
  });
  if (chosen.length === 0) throw new UsageError(`No row has the words "${fault}".`);
  return { ...values, seconds, seed, chosen };
}
