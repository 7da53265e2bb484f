/**
 * Restores a backup of the event log to an empty log, if the file is unchanged, and leaves out incomplete
 * histories.
 */

import { createHash } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import type { Envelope } from '../../domain/envelope.ts';
import { isReportWritten, isTestEvent } from '../../domain/events.ts';
import { guard } from '../../domain/guard.ts';
import { type Claim, isPaymentEvent } from '../../domain/payment-events.ts';
import { upcast } from '../../domain/upcast.ts';
import type { EventLog } from '../../ports/log.ts';
import { END, historiesOfLines, type Line, type Logs } from './backup.ts';
import type { Progress } from './progress.ts';

/** The result of a restore, counted in the same way as `backup` counts. */
export interface Restored {
  readonly events: number;
  readonly claims: number;
  /** Number of events and claims that the log already contained. */
  readonly there: number;
  /** Subjects whose history is incomplete, and was therefore not restored. */
  readonly left_out: readonly string[];
}

/**
 * Runs `replay restore`, which stores a backup's events in an empty log, or continues where it was
 * interrupted. Sequence numbers belong to the log itself, so the position of each report is written into its
 * `AnalysisDone`. An incomplete history is left out, because the restored copy would no longer show that
 * something is missing.
 *
 * @throws if the file has changed since it was written, or if a test in the log has a history of its own
 */
export async function restore(
  { tests, reports, payments, allClaims }: Logs,
  readLines: () => AsyncIterable<string>,
  progress: Progress,
): Promise<Restored> {
  const damaged = await findDamaged(verified(readLines()));
  const places = new Map<number, number>();
  const writers = {
    reports: writer(reports, isReportWritten, 'reports'),
    tests: writer(tests, isTestEvent, 'tests'),
    payments: writer(payments, isPaymentEvent, 'payments'),
  };
  const total = { events: 0, claims: 0, there: 0 };

  async function pass(streams: readonly string[]): Promise<void> {
    for await (const { stream, id, seq, event } of parseAll(readLines())) {
      if (!streams.includes(stream) || damaged.has(`${stream}.${id}`)) continue;
      // If a message of a complete history cannot be read, it does not matter: it is a superseded report, or
      // came before an end.
      if (event === null) continue;
      const moved = stream === 'tests' ? withPlace(upcast(event), places) : upcast(event);
      const { outcome, place } = await writers[stream as keyof typeof writers](id, moved);
      if (stream === 'reports') places.set(seq, place);
      total.events++;
      if (outcome === 'there') total.there++;
      progress('events', total.events, () => total.events);
    }
  }
  // The reports come first, because a test names the position of its report.
  await pass(['reports']);
  await pass(['tests', 'payments']);
  for await (const { stream, id, event } of parseAll(readLines()))
    if (stream === 'claims') {
      total.claims++;
      if ((await allClaims.add(id, event as Claim)) !== 'stored') total.there++;
    }
  return { ...total, left_out: [...damaged] };
}

/** @throws with the number of the line if it is not a line of a backup */
function parseLine(text: string, number: number): Line {
  try {
    const line: unknown = JSON.parse(text);
    if (isLine(line)) return line;
  } catch {
    // The error is thrown below, without the text of the line, which may contain data that must not be
    // printed.
  }
  throw new Error(
    `Line ${number} does not belong to a backup. Name a file that \`replay backup\` wrote.`,
  );
}

const isLine = guard(
  Type.Object({
    ...{ stream: Type.String(), id: Type.String(), seq: Type.Number(), time: Type.Number() },
    event: Type.Unknown(),
  }),
);

async function* parseAll(lines: AsyncIterable<string>): AsyncGenerator<Line> {
  let number = 0;
  for await (const text of lines) {
    number++;
    if (text !== '') yield parseLine(text, number);
  }
}

/** Passes on all lines unchanged. @throws if the last line does not match the others */
async function* verified(lines: AsyncIterable<string>): AsyncGenerator<string> {
  const hash = createHash('sha256');
  let last = '';
  for await (const line of lines) {
    if (line === '') continue;
    if (last !== '') hash.update(`${last}\n`);
    last = line;
    yield line;
  }
  const end = last === '' ? undefined : parseLine(last, 0);
  if (end?.stream !== END || end.id !== hash.digest('hex'))
    throw new Error(
      'The backup has changed since it was written: its end is missing, or a line is different. Copy it again; nothing was restored.',
    );
}

async function findDamaged(lines: AsyncIterable<string>): Promise<ReadonlySet<string>> {
  const read = historiesOfLines();
  for await (const line of parseAll(lines)) read.add(line);
  return new Set(read.damaged());
}

function withPlace(event: unknown, places: ReadonlyMap<number, number>): unknown {
  if (!isTestEvent(event)) return event;
  if (event.type === 'HistoryRestored')
    return { ...event, data: { events: event.data.events.map((one) => withPlace(one, places)) } };
  if (event.type !== 'AnalysisDone') return event;
  const report_seq = places.get(event.data.report_seq);
  // The report was erased or has expired. Its position must not be that of another report.
  return { ...event, data: { ...event.data, report_seq: report_seq ?? Number.MAX_SAFE_INTEGER } };
}

/** Appends events of one log in the order of the file. Events that are already there stay as they are. */
function writer<E extends Envelope>(
  log: EventLog<E>,
  isEvent: (value: unknown) => value is E,
  stream: string,
) {
  const known = new Map<string, { readonly places: Map<string, number>; end: number }>();

  async function subjectOf(id: string) {
    const before = known.get(id);
    if (before) return before;
    const { events } = await log.readRemains(id);
    const places = new Map(events.map(({ event, seq }) => [event.id, seq]));
    const subject = { places, end: events.at(-1)?.seq ?? 0 };
    known.set(id, subject);
    return subject;
  }

  return async (id: string, event: unknown) => {
    if (!isEvent(event))
      throw new Error(`The backup contains something that is not an event, in ${stream}.${id}.`);
    const subject = await subjectOf(id);
    const place = subject.places.get(event.id);
    if (place !== undefined) return { outcome: 'there' as const, place };
    const appended = await log.append(id, event, subject.end);
    if (appended.outcome !== 'appended')
      throw new Error(`${stream}.${id} could not be restored: ${appended.outcome}.`);
    subject.end = appended.seq;
    subject.places.set(event.id, appended.seq);
    return { outcome: 'stored' as const, place: appended.seq };
  };
}
