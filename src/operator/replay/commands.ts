/**
 * Lists the commands of `replay`, with their arguments, their options, what each does, and the code that runs
 * it.
 */

import { createReadStream, lstatSync, statSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { cannotBe, UsageError } from '../../config/command-line.ts';
import { isTestId, toId } from '../../domain/ids.ts';
import { backUp } from './backup.ts';
import type { OptionName, ReplayCall } from './call.ts';
import { closeAll, closePayment } from './close-payment.ts';
import { endTest, type Remedy } from './end-test.ts';
import { eventsCommand, findCommand, whyCommand } from './incident.ts';
import { restore } from './restore.ts';
import type { OpenSource, StreamName } from './source.ts';
import { states } from './states.ts';
import { verify } from './verify.ts';

interface Argument {
  readonly isRight: (text: string) => boolean;
  /** Completes the sentence "needs …". */
  readonly needed: string;
}

const TEST: Argument = { isRight: isTestId, needed: "a test's id: 12 of a-z and 2-7" };
const ADDRESS: Argument = {
  isRight: (text) => toId(text) !== undefined,
  needed: "a test's id or address",
};
const NAME: Argument = {
  isRight: Boolean,
  needed: 'an address, a transaction, a payer, an IP or a domain',
};
/**
 * The payment for a test, or for a sale of the sample. Any id is accepted, because whatever is stored under
 * it has to be closed.
 */
const PAYMENT: Argument = {
  isRight: (text) => /^[\w-]{0,64}$/.test(text),
  needed: 'a payment\'s id: what follows "payments." in its subject',
};
const FILE: Argument = { isRight: Boolean, needed: 'a file' };

interface Command {
  /** The arguments that follow the command's name. */
  readonly usage: string;
  readonly does: string;
  readonly argument?: Argument;
  /**
   * The options that a command accepts. Any other option is an error, because it may have been intended as a
   * precaution.
   */
  readonly options?: readonly OptionName[];
  /** The streams without which the command has nothing to read. */
  readonly streams: readonly StreamName[];
  /** Returns the exit code: 1 if something is missing or differs. */
  readonly run: (source: OpenSource, call: ReplayCall) => Promise<number>;
}

/**
 * Loads the code that queries the chain, only when it is needed: loading it takes as long as a search of the
 * log.
 */
const chainReaders = () => import('./chain-readers.ts');

const alreadyThere = (path: string) =>
  new UsageError(
    `${path} already exists, and a backup does not overwrite files. Name another file, or add --replace.`,
  );

const notAFile = (path: string) => new UsageError(`${path} is not a regular file: name one.`);

/**
 * Prints what was done or could be done about damage. Returns the exit code: 1 if something could not be
 * done.
 */
function printRemedies(found: readonly Remedy[], { print, hint }: ReplayCall): number {
  for (const one of found) print(one);
  if (found.some(({ event, appended }) => event && !appended))
    hint('nothing was changed: add --apply to append what is shown');
  return found.some(({ why }) => why !== undefined) ? 1 : 0;
}

export const commands: Readonly<Record<string, Command>> = {
  why: {
    usage: 'TEST_ID|ADDRESS [--json]',
    does: "explains a test's current state in one sentence",
    argument: ADDRESS,
    options: ['json'],
    streams: ['TESTS', 'PAYMENTS'],
    run: whyCommand,
  },
  find: {
    usage: 'ADDRESS|TX|PAYER|IP|DOMAIN [--since TIME] [--until TIME]',
    does: 'finds the matching test, its settlements, or the tests that received mail from that address or domain',
    argument: NAME,
    options: ['since', 'until'],
    streams: ['TESTS', 'PAYMENTS'],
    run: findCommand,
  },
  events: {
    usage: '[--since TIME] [--until TIME] [--type NAME,…]',
    does: 'lists what was stored in a period',
    options: ['since', 'until', 'type', 'unsafe'],
    streams: ['TESTS', 'PAYMENTS'],
    run: eventsCommand,
  },
  states: {
    usage: 'TEST_ID [--until SEQ|TIME]',
    does: 'shows each event of a test and its payment, with the state after the event',
    argument: TEST,
    options: ['until', 'unsafe'],
    streams: ['TESTS', 'PAYMENTS'],
    run: states,
  },
  verify: {
    usage: '',
    does: 'checks each history against its own chain; exits with 1 on any damage',
    streams: ['TESTS', 'REPORTS', 'PAYMENTS'],
    async run(source, { print, hint, progress }) {
      const losses = (await source.losses()).map((lost) => ({ lost }));
      const damaged = await verify(source, { now: Date.now(), progress });
      for (const one of [...losses, ...damaged]) print(one);
      if (losses.length + damaged.length === 0) hint('every history is complete');
      return losses.length + damaged.length > 0 ? 1 : 0;
    },
  },
  end: {
    usage: 'TEST_ID [--apply]',
    does: 'ends a test whose history is damaged; without --apply it is a dry run',
    argument: TEST,
    options: ['apply'],
    streams: ['TESTS', 'PAYMENTS'],
    async run(source, call) {
      const options = { now: Date.now(), apply: call.apply };
      return printRemedies([await endTest(source, call.argument, options)], call);
    },
  },
  close: {
    usage: '[PAYMENT_ID [--transaction TX] [--unpaid]] [--apply]',
    does: `closes damaged payments according to the chain; if the log names no transaction, --transaction
      names the one that paid, and --unpaid says that there is none`,
    argument: PAYMENT,
    options: ['apply', 'transaction', 'unpaid'],
    streams: ['PAYMENTS'],
    async run(source, call) {
      const { argument, apply, transaction, unpaid, progress } = call;
      const chain = (await chainReaders()).moneyReader();
      const options = { now: Date.now(), apply, transaction, unpaid, chain };
      const closed =
        argument === ''
          ? await closeAll(source, options, progress)
          : [await closePayment(source, argument, options)];
      return printRemedies(closed, call);
    },
  },
  payments: {
    usage:
      '[--since TIME] [--until TIME] [--reconcile [--from-block N] [--to-block N] [--refunds]]',
    does: `lists every settlement; --reconcile checks them against the chain, both ways, and exits with
      1 on any mismatch; --refunds prints the refund transfers to sign`,
    options: ['since', 'until', 'reconcile', 'refunds', 'from-block', 'to-block'],
    streams: ['PAYMENTS'],
    async run(source, call) {
      const { readLedger } = await import('./payments.ts');
      if (call.reconcile || call.refunds) {
        const { reconcileBooks } = await import('./books/command.ts');
        const selling = (await chainReaders()).selling();
        return reconcileBooks(selling, () => readLedger(source, call), call);
      }
      for (const { entry } of await readLedger(source, call)) call.print(entry);
      return 0;
    },
  },
  backup: {
    usage: 'FILE [--replace]',
    does: 'writes the whole log, including secrets, to a new file; with --replace, it can overwrite an older file',
    argument: FILE,
    options: ['replace'],
    streams: ['TESTS', 'REPORTS', 'PAYMENTS'],
    async run(source, { argument: path, replace, print, hint, progress }) {
      await access(dirname(path), constants.W_OK).catch(cannotBe('written', path));
      const there = lstatSync(path, { throwIfNoEntry: false });
      // The file is renamed into place, which would also replace a link such as /dev/stdout.
      if (there && !there.isFile()) throw notAFile(path);
      if (there && !replace) throw alreadyThere(path);
      const { damaged, ...counts } = await backUp(source, { path, replace, progress }).catch(
        (error: NodeJS.ErrnoException) => {
          throw error.code === 'EEXIST' ? alreadyThere(path) : error;
        },
      );
      print(counts);
      if (damaged > 0) hint(`${damaged} histories are incomplete: \`verify\` names them`);
      return damaged > 0 ? 1 : 0;
    },
  },
  restore: {
    usage: 'FILE',
    does: 'restores a backup into an empty log; run it again to continue',
    argument: FILE,
    streams: [],
    async run(source, { argument: path, print, hint, progress }) {
      await access(path, constants.R_OK).catch(cannotBe('read', path));
      // The file is read more than once, and a pipe can be read only once.
      if (!statSync(path).isFile()) throw notAFile(path);
      await source.createStreams();
      const readLines = () => createInterface({ input: createReadStream(path) });
      const restored = await restore(source, readLines, progress);
      print(restored);
      // Replicas may have recorded a later end for the log that this one replaces.
      await source.acceptLoss();
      if (restored.left_out.length > 0) hint('incomplete histories were left out');
      return restored.left_out.length > 0 ? 1 : 0;
    },
  },
  'accept-loss': {
    usage: '',
    does: 'lets the service continue with a log from which messages are missing',
    streams: [],
    async run(source, { print, hint }) {
      const losses = await source.acceptLoss();
      for (const accepted of losses) print({ accepted });
      if (losses.length === 0)
        hint('no lost messages are known here; any that other replicas know of are accepted, too');
      return 0;
    },
  },
};
