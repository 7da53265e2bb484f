import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { paymentChain } from '../adapters/chain/payment-chain.ts';
import { loadLogConfig } from '../config.ts';
import { isTestId } from '../domain/ids.ts';
import { diff, rebuild } from './replay/compare.ts';
import { dump, states } from './replay/one-test.ts';
import { settlementsOf, toCsv, verifyAll } from './replay/payments.ts';
import { population } from './replay/population.ts';
import { parseUntil, readAll } from './replay/read-all.ts';
import { openSource, type Source } from './replay/source.ts';
import { exportLines, importLines } from './replay/transfer.ts';

const USAGE = `replay dump TEST_ID [--unsafe]                 a line an event
replay states TEST_ID [--until SEQ|TIME]       each event with the state after it
replay state [--until SEQ|TIME]                how many tests are in each state
replay rebuild [--dry-run]                     mend the buckets from the log
replay diff                                    the buckets against the log; exit 1 on any difference
replay payments [--since TIME] [--csv] [--verify]
                                               every settlement; --verify asks the chain, exit 1
                                               on any difference
replay export [--unsafe]                       the whole log as JSON lines
replay import FILE.jsonl                       fold an export without a server

Token hashes and payers are shown only with --unsafe.`;

/** A command line that cannot be followed. */
class UsageError extends Error {}

type Print = (value: object) => void;

const printLine: Print = (value) => void process.stdout.write(`${JSON.stringify(value)}\n`);

/** `cli.ts replay`: looks at the event log, on a live service or a stopped one. */
export async function runReplay(
  args: readonly string[],
  open: () => Promise<Source & { close(): Promise<void> }> = () => openSource(loadLogConfig()),
  print: Print = printLine,
): Promise<number> {
  try {
    return await run(args, open, print);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${USAGE}`);
    return 2;
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        until: { type: 'string' },
        unsafe: { type: 'boolean', default: false },
        since: { type: 'string' },
        csv: { type: 'boolean', default: false },
        verify: { type: 'boolean', default: false },
        'dry-run': { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The options cannot be read.');
  }
}

async function run(
  args: readonly string[],
  open: () => Promise<Source & { close(): Promise<void> }>,
  print: Print,
): Promise<number> {
  const { positionals, values } = parse(args);
  const [command = '', argument = ''] = positionals;
  const until = values.until === undefined ? undefined : parseUntil(values.until);
  const { unsafe } = values;
  const testId = () => {
    if (isTestId(argument)) return argument;
    throw new UsageError(`${command} needs a test's id: 12 of a-z and 2-7.`);
  };

  if (command === 'import') {
    if (argument === '') throw new UsageError('import needs a file.');
    print(importLines((await readFile(argument, 'utf8')).split('\n')));
    return 0;
  }
  const commands: Record<string, (source: Source) => Promise<number>> = {
    dump: async (source) => printAll(await dump(source, testId(), { unsafe }), print),
    states: async (source) => printAll(await states(source, testId(), until), print),
    async state({ tests, payments }) {
      const [ofTests, ofPayments] = [await readAll(tests, until), await readAll(payments, until)];
      const unreadable = ofTests.poison.length + ofPayments.poison.length;
      print({ ...population(ofTests.events, ofPayments.events), unreadable });
      return 0;
    },
    async rebuild(source) {
      const mended = await rebuild(source, Date.now, { dryRun: values['dry-run'] });
      for (const one of mended) print(one);
      print({ mended: values['dry-run'] ? 0 : mended.length, found: mended.length });
      return 0;
    },
    async diff(source) {
      const faults = await diff(source, Date.now);
      for (const one of faults) print(one);
      return faults.length === 0 ? 0 : 1;
    },
    payments: (source) => listPayments(source, values, print),
    async export(source) {
      for await (const line of exportLines(source, { unsafe })) print(line);
      return 0;
    },
  };
  const chosen = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (!chosen) throw new UsageError(`There is no command "${command}".`);
  if (command === 'dump' || command === 'states') testId();

  const source = await open();
  try {
    return await chosen(source);
  } finally {
    await source.close();
  }
}

interface PaymentOptions {
  readonly since?: string;
  readonly csv: boolean;
  readonly verify: boolean;
}

/** The operator's ledger. Exit code 1 when the chain says something else. */
async function listPayments(source: Source, options: PaymentOptions, print: Print) {
  const since = options.since === undefined ? undefined : Date.parse(options.since);
  if (Number.isNaN(since)) throw new UsageError('--since wants an instant: 2026-11-20T10:00:00Z.');
  const settlements = settlementsOf((await readAll(source.payments)).events, since);
  const entries = options.verify
    ? await verifyAll(settlements, chainReader())
    : settlements.map(({ entry }) => entry);
  if (options.csv) process.stdout.write(`${toCsv(entries)}\r\n`);
  else for (const entry of entries) print(entry);
  return entries.some((entry) => 'difference' in entry && entry.difference !== null) ? 1 : 0;
}

/** The chain of each payment, behind the one RPC that the settings name. */
function chainReader() {
  const { rpcUrl } = loadLogConfig();
  if (rpcUrl === null) throw new Error('X402_RPC_URL is needed to ask the chain.');
  return (network: string) => paymentChain({ rpcUrl, network });
}

/** Exit code 1 when there is nothing: a test that is not in the log. */
function printAll(lines: readonly object[], print: Print): number {
  for (const line of lines) print(line);
  return lines.length > 0 ? 0 : 1;
}
