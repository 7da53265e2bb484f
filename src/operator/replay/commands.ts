import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { backUp, restore } from './backup.ts';
import { book, toCsv } from './books/bookkeeping.ts';
import { closeAll, closePayment } from './close-payment.ts';
import type { CommandName, ReplayCall } from './command-line.ts';
import { endTest, type WayOut } from './end-test.ts';
import { eventsCommand, findCommand, whyCommand } from './incident.ts';
import { dump, states } from './one-test.ts';
import { createLedger, sumUp, verifyAll } from './payments.ts';
import { foldPayments, foldTests, population } from './population.ts';
import { scan } from './scan.ts';
import type { OpenSource } from './source.ts';
import { exportLines, importLines } from './transfer.ts';
import { verify } from './verify.ts';

/** Reads the log and gives the exit code: 1 when something is missing or differs. */
type Command = (source: OpenSource, call: ReplayCall) => Promise<number>;

/** Exit code 1 when there is nothing: a test that is not in the log. */
function printAll(lines: readonly object[], { print, hint, until }: ReplayCall): number {
  for (const line of lines) print(line);
  if (lines.length === 0)
    hint(
      `no event of this test is in the log${until ? ' until then' : ': never there, or erased'}`,
    );
  return lines.length > 0 ? 0 : 1;
}

/** Exit code 1 when there is something in the way. */
function printWaysOut(
  found: readonly WayOut[],
  { print, hint }: Pick<ReplayCall, 'print' | 'hint'>,
): number {
  for (const one of found) print(one);
  if (found.some(({ event, appended }) => event && !appended))
    hint('nothing was changed: --apply appends what is shown');
  return found.some(({ why }) => why !== undefined) ? 1 : 0;
}

/** Loaded where the chain is asked: it takes as long as a search of the log. */
const chainReaders = () => import('./chain-readers.ts');

export const commands: Readonly<Record<Exclude<CommandName, 'import'>, Command>> = {
  why: whyCommand,
  events: eventsCommand,
  find: findCommand,
  dump: async (source, call) => printAll(await dump(source, call.argument, call), call),

  states: async (source, call) => printAll(await states(source, call.argument, call.until), call),

  async state(source, { until, print, progress }) {
    const [tests, payments] = [foldTests(), foldPayments()];
    let unreadable = 0;
    const options = { until, progress, onPoison: () => void unreadable++ };
    await scan(source.tests, { ...options, name: 'tests', onEvent: tests.add });
    await scan(source.payments, { ...options, name: 'payments', onEvent: payments.add });
    print({ ...population(tests, payments), unreadable });
    return 0;
  },

  async verify(source, { print, progress }) {
    const losses = (await source.losses()).map((lost) => ({ lost }));
    const damaged = await verify(source, { now: Date.now(), progress });
    for (const one of [...losses, ...damaged]) print(one);
    return losses.length + damaged.length > 0 ? 1 : 0;
  },

  async end(source, { argument, apply, ...call }) {
    return printWaysOut([await endTest(source, argument, { now: Date.now(), apply })], call);
  },

  async close(source, { argument, apply, transaction, unpaid, ...call }) {
    const chain = (await chainReaders()).moneyReader();
    const options = { now: Date.now(), apply, transaction, unpaid, chain };
    const closed =
      argument === ''
        ? await closeAll(source, options, call.progress)
        : [await closePayment(source, argument, options)];
    return printWaysOut(closed, call);
  },

  async payments(source, call) {
    const { since, until, sum, csv, verify, reconcile, refunds, print, progress } = call;
    const readLedger = async () => {
      const ledger = createLedger();
      await scan(source.payments, { name: 'payments', until, progress, onEvent: ledger.add });
      return ledger.since(since);
    };
    if (reconcile || refunds) {
      const { reconcileBooks } = await import('./books/command.ts');
      return reconcileBooks((await chainReaders()).selling(), readLedger, call);
    }
    const settlements = await readLedger();
    const entries = verify
      ? await verifyAll(settlements, (await chainReaders()).chainReader(), progress)
      : settlements.map(({ entry }) => entry);
    if (sum) for (const line of sumUp(entries)) print(line);
    else if (csv) {
      const asset = (await chainReaders()).assetReader();
      process.stdout.write(toCsv(await book(settlements, entries, asset, progress)));
    } else for (const entry of entries) print(entry);
    return entries.some((entry) => 'difference' in entry && entry.difference !== null) ? 1 : 0;
  },

  async backup(source, { argument: path, print, hint, progress }) {
    const { events, damaged } = await backUp(source, path, progress);
    print({ events });
    if (damaged > 0) hint(`${damaged} histories are not whole: \`verify\` names them`);
    return damaged > 0 ? 1 : 0;
  },

  async restore(source, { argument: path, print, hint, progress }) {
    // Read more than once: a line stream ends with its file.
    await source.createStreams();
    const readLines = () => createInterface({ input: createReadStream(path) });
    const restored = await restore(source, readLines, progress);
    print(restored);
    // Replicas may have noted more of the log that this one is in place of.
    await source.acceptLoss();
    if (restored.left_out.length > 0) hint('histories that are not whole were left out');
    return restored.left_out.length > 0 ? 1 : 0;
  },

  async 'accept-loss'(source, { print, hint }) {
    const losses = await source.acceptLoss();
    for (const accepted of losses) print({ accepted });
    if (losses.length === 0)
      hint(
        'no stream lacks what is known here to have been in it; whatever replicas know is accepted',
      );
    return 0;
  },

  async export(source, { unsafe, print, hint, progress }) {
    const unreadable = await exportLines(source, { unsafe, progress }, print);
    if (unreadable > 0) hint(`left out: ${unreadable} message(s) that are no event`);
    return 0;
  },
};

/** `replay import`: needs no log but the file. */
export async function importFile(
  path: string,
  { print }: Pick<ReplayCall, 'print'>,
): Promise<number> {
  const file = await open(path);
  try {
    print(await importLines(file.readLines()));
  } finally {
    await file.close();
  }
  return 0;
}
