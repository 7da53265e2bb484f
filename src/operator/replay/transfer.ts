import { isReportWritten, isTestEvent } from '../../domain/events.ts';
import { isPaymentEvent } from '../../domain/payment-events.ts';
import { upcast } from '../../domain/upcast.ts';
import type { EventLog } from '../../ports/log.ts';
import { foldPayments, foldTests, population } from './population.ts';
import type { Progress } from './progress.ts';
import { redact } from './redact.ts';
import { scan } from './scan.ts';
import type { Source } from './source.ts';

/** An event with its place, as it is exported. */
export interface Line {
  readonly stream: string;
  readonly id: string;
  readonly seq: number;
  readonly time: number;
  /** Sequence of the subject's event before it. */
  readonly after?: number;
  /** `null`: a message that is no event. */
  readonly event: unknown;
}

interface Options {
  readonly unsafe: boolean;
  /** Shows where messages are that are no events. */
  readonly faults?: boolean;
  readonly progress: Progress;
}

/**
 * `replay export`: a line an event of all three logs, in the order of each. Resolves to how many
 * messages were no events, and left out.
 */
export async function exportLines(
  { tests, reports, payments }: Pick<Source, 'tests' | 'reports' | 'payments'>,
  { unsafe, faults = false, progress }: Options,
  print: (line: Line) => void,
): Promise<number> {
  let unreadable = 0;
  async function write<E>(stream: string, log: EventLog<E>): Promise<void> {
    const printFault = (id: string, seq: number) => {
      unreadable++;
      if (faults) print({ stream, id, seq, time: 0, event: null });
    };
    // Taken first: what comes in meanwhile is read, and not missing.
    const unread = new Map(faults ? await log.counts() : []);
    const note = (id: string) => void unread.set(id, (unread.get(id) ?? 0) - 1);
    await scan(log, {
      name: stream,
      progress,
      onEvent({ id, seq, time, after, event }) {
        note(id);
        print({
          ...{ stream, id, seq, time },
          ...(after !== undefined && { after }),
          event: unsafe ? event : redact(event),
        });
      },
      onPoison({ id, seq }) {
        note(id);
        printFault(id, seq);
      },
    });
    // What cannot be read from the disk is not delivered: a history without its end would pass for a whole one.
    for (const [id, left] of unread) {
      const damage = left > 0 ? (await log.readRemains(id)).damage : undefined;
      if (damage) printFault(id, damage.seq);
    }
  }
  await write('tests', tests);
  await write('reports', reports);
  await write('payments', payments);
  return unreadable;
}

/**
 * `replay import`: folds exported lines without a server.
 *
 * @throws when a line is not an event, by its number
 */
export async function importLines(lines: AsyncIterable<string>): Promise<object> {
  const tests = foldTests();
  const payments = foldPayments();
  let reports = 0;
  let number = 0;
  for await (const text of lines) {
    number++;
    if (text === '') continue;
    const { stream, event: stored, ...place } = parseLine(text, number);
    const event = upcast(stored);
    if (stream === 'tests' && isTestEvent(event)) tests.add({ ...place, event });
    else if (stream === 'payments' && isPaymentEvent(event)) payments.add({ ...place, event });
    else if (stream === 'reports' && isReportWritten(event)) reports++;
    else if (stream !== 'claims' && stream !== 'end')
      throw new Error(`Line ${number} is no event of ${stream}.`);
  }
  return { ...population(tests, payments), reports };
}

/** @throws when it is not an event, by its number */
export function parseLine(text: string, number: number): Line {
  try {
    const line: unknown = JSON.parse(text);
    if (isLine(line)) return line;
  } catch {
    // Said below: a line's own text may hold what must not be printed.
  }
  throw new Error(`Line ${number} is not an exported event.`);
}

const isLine = (value: unknown): value is Line =>
  typeof value === 'object' &&
  value !== null &&
  'stream' in value &&
  typeof value.stream === 'string' &&
  'id' in value &&
  typeof value.id === 'string' &&
  'seq' in value &&
  typeof value.seq === 'number' &&
  'time' in value &&
  typeof value.time === 'number' &&
  'event' in value;
