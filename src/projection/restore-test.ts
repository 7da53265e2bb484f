import type { OriginalTestEvent, ReportWritten, TestEvent, TestEventOf } from '../domain/events.ts';
import type { Report } from '../domain/report/report.ts';
import type { StatusView } from '../domain/status-view.ts';
import { evolve, fold, type TestState } from './fold.ts';
import { originalEvents } from './original-events.ts';
import { toRow } from './row.ts';
import { toStatusView } from './status-view.ts';

/** A report that is in its stream. */
export interface StoredReport {
  /** Of its `ReportWritten`. */
  readonly seq: number;
  readonly sha256: string;
  readonly report: Report;
  /** Its test, as it was created. */
  readonly created?: ReportWritten['data']['created'];
}

/** What is known of a test besides its own messages. */
interface Copies {
  /** Its line in the bucket `status`, unless that is older than the messages that are left. */
  readonly line: StatusView | undefined;
  readonly report: StoredReport | undefined;
  readonly newId: () => string;
}

/** `missing`: what has no second copy. */
export type RestoredHistory<Event> =
  | { readonly events: readonly Event[] }
  | { readonly missing: string };

/**
 * The history of a damaged test from the events that are left and from what was made of those that
 * are not. Taken is only what every event fits, and what gives the line in the bucket `status`.
 */
export function restoreTest(
  left: readonly TestEvent[],
  copies: Copies,
): RestoredHistory<OriginalTestEvent> {
  const events = originalEvents(left);
  const [first] = events;
  const created = first?.type === 'TestCreated' ? first : createdOf(copies);
  if (!created) return { missing: 'TestCreated: the hash of the read token is nowhere else' };
  const candidates = candidatesOf(
    created,
    events.filter((one) => one !== created),
    copies,
  );
  const found = candidates.find((one) => isProven(one, copies));
  if (found) return { events: found };
  if (candidates.some((one) => foldFitting(one)?.context.refusal))
    return { missing: 'MailRefused: its reasons are nowhere else' };
  if (!copies.report && (copies.line?.status === 'ready' || events.some(isDone)))
    return { missing: 'ReportWritten: neither the report nor its copy is there' };
  return { missing: 'what was lost cannot be told from what is left' };
}

const isDone = (event: OriginalTestEvent) => event.type === 'AnalysisDone';

/** The best first: what is left, then with what the report knows of its mail and its analysis. */
function candidatesOf(
  created: TestEventOf<'TestCreated'>,
  events: readonly OriginalTestEvent[],
  { line, report, newId }: Copies,
): readonly (readonly OriginalTestEvent[])[] {
  const arrival = events.findLastIndex(({ type }) => type === 'MailArrived');
  // A mail that is taken leaves nothing of what was before it.
  const kept = [created, ...events.slice(Math.max(0, arrival))];
  const done = events.findLast(isDone);
  if (!report || !(done || line?.status === 'ready')) return [kept];
  const attempt = done?.data.attempt ?? attemptOf(events[arrival]) ?? 1;
  const end = done
    ? { ...done, data: { ...done.data, report_seq: report.seq } }
    : doneOf(report, attempt, newId());
  return [
    kept,
    [...kept.filter((one) => !isDone(one)), end],
    [created, arrivalOf(report, attempt, newId()), end],
  ];
}

function createdOf({ report, newId }: Copies): TestEventOf<'TestCreated'> | undefined {
  if (!report?.created) return undefined;
  const { at, ...data } = report.created;
  return { ...{ v: 1, id: newId(), type: 'TestCreated', at, by: REPAIR }, data };
}

const attemptOf = (event: OriginalTestEvent | undefined) =>
  event?.type === 'MailArrived' ? event.data.attempt : undefined;

/** By whom a restored event says that it was written. */
export const REPAIR = 'repair';

/** No mail has it: a sender that repeats its mail counts as another one. */
const NO_DIGEST = '0'.repeat(64);

function arrivalOf(
  { report }: StoredReport,
  attempt: number,
  id: string,
): TestEventOf<'MailArrived'> {
  const { message, connection, cloudflare, received_at } = report;
  return {
    ...{ v: 1, id, type: 'MailArrived', at: received_at, by: REPAIR },
    data: {
      attempt,
      size_bytes: Math.max(1, message.size_bytes),
      digest: NO_DIGEST,
      source: cloudflare ? 'cloudflare' : 'smtp',
      ip: connection.ip ?? null,
      helo: connection.helo ?? null,
      tls: connection.tls?.status ?? 'not_observable',
      envelope_domain: message.envelope_from_domain ?? '',
      header_from_domain: message.header_from.domain,
    },
  };
}

function doneOf(
  { seq, sha256, report }: StoredReport,
  attempt: number,
  id: string,
): TestEventOf<'AnalysisDone'> {
  const { score, grade, received_at, analyzed_at = received_at } = report;
  const duration_ms = Math.max(0, Date.parse(analyzed_at) - Date.parse(received_at));
  return {
    ...{ v: 1, id, type: 'AnalysisDone', at: analyzed_at, by: REPAIR },
    data: { attempt, report_seq: seq, report_sha256: sha256, score, grade, duration_ms },
  };
}

function isProven(events: readonly OriginalTestEvent[], { line, report }: Copies): boolean {
  const state = foldFitting(events);
  const row = state && toRow(state, line?.seq ?? 1);
  // Of several refusals the reasons and the first instant count: one that is lost may be either.
  if (!row || row.context.refusal) return false;
  if (row.status === 'ready' && !isOf(events.findLast(isDone), report)) return false;
  if (!line) return row.status !== 'waiting' && row.status !== 'processing';
  const { seq: _, ...view } = toStatusView(row);
  return Object.entries(view).every(([name, value]) => line[name as keyof typeof view] === value);
}

const isOf = (done: TestEventOf<'AnalysisDone'> | undefined, report: StoredReport | undefined) =>
  report?.seq === done?.data.report_seq && report?.sha256 === done?.data.report_sha256;

/** `undefined`: one of them does not fit what was before it. */
function foldFitting(events: readonly OriginalTestEvent[]): TestState | undefined {
  let state = fold([]);
  for (const event of events) {
    if (!state.can(event)) return undefined;
    state = evolve(state, event);
  }
  return state;
}
