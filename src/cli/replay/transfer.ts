import { isReportWritten, isTestEvent, type TestEvent } from '../../domain/events.ts';
import { isPaymentEvent, type PaymentEvent } from '../../domain/payment-events.ts';
import { upcast } from '../../domain/upcast.ts';
import type { Recorded } from '../../ports/log.ts';
import { population } from './population.ts';
import { readAll } from './read-all.ts';
import { redact } from './redact.ts';
import type { Source } from './source.ts';

interface Line {
  readonly stream: string;
  readonly id: string;
  readonly seq: number;
  readonly time: number;
  readonly event: unknown;
}

/** `replay export`: a line an event of all three logs, in the order of each. */
export async function* exportLines(
  { tests, reports, payments }: Pick<Source, 'tests' | 'reports' | 'payments'>,
  { unsafe }: { readonly unsafe: boolean },
): AsyncGenerator<Line> {
  for (const [stream, log] of Object.entries({ tests, reports, payments })) {
    const { events } = await readAll<object>(log as never);
    for (const { id, seq, time, event } of events)
      yield { stream, id, seq, time, event: unsafe ? event : redact(event) };
  }
}

/**
 * `replay import`: folds exported lines without a server.
 *
 * @throws when a line is none, by its number
 */
export function importLines(lines: readonly string[]): object {
  const tests: Recorded<TestEvent>[] = [];
  const payments: Recorded<PaymentEvent>[] = [];
  let reports = 0;
  for (const [index, text] of lines.entries()) {
    if (text === '') continue;
    const { stream, event: stored, ...place } = parse(text, index + 1);
    const event = upcast(stored);
    if (stream === 'tests' && isTestEvent(event)) tests.push({ ...place, event });
    else if (stream === 'payments' && isPaymentEvent(event)) payments.push({ ...place, event });
    else if (stream === 'reports' && isReportWritten(event)) reports++;
    else throw new Error(`Line ${index + 1} is no event of ${stream}.`);
  }
  return { ...population(tests, payments), reports };
}

function parse(text: string, number: number): Line {
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
