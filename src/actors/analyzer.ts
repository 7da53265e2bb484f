/**
 * Analyses each email once its `MailArrived` event is in the log, and appends the report and then the event
 * that ends the analysis.
 */

import { toEvent } from '../domain/envelope.ts';
import type { ReportWritten, TestEvent, TestEventOf } from '../domain/events.ts';
import { Overloaded } from '../domain/overloaded.ts';
import { verdict } from '../domain/replies.ts';
import { type ReportJson, toStoredEvent } from '../domain/stored-report.ts';
import { WorkerLost } from '../domain/worker-lost.ts';
import type { Clock } from '../ports/ambient.ts';
import { decideOn } from '../ports/decide.ts';
import type { EncodedEvent, EncodedLog, EventLog, Recorded } from '../ports/log.ts';
import type { Traces } from '../ports/traces.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { MailBuffer, WaitingMail } from './receiver/mail-buffer.ts';

/**
 * Maximum size of a report, in bytes of JSON. nats-server accepts messages of 1 MiB, and the lists in a
 * report are capped anyway.
 */
const MAX_REPORT_BYTES = 255 * 1024;

export interface AnalyzerPorts {
  readonly tests: EventLog<TestEvent>;
  readonly reports: EncodedLog<ReportWritten>;
  /**
   * Receives each report before the event that names it is appended, so that no replica has to read the
   * report back from the log.
   */
  readonly offerReport?: (id: string, seq: number, report: ReportJson) => void;
  readonly mailBuffer: Pick<MailBuffer, 'take'>;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly replica: string;
  readonly logger: Logger;
  readonly traces?: Traces | undefined;
}

type Arrival = Recorded<TestEventOf<'MailArrived'>>;

/** The last step of an analysis, or the reason why nothing was appended. */
type Ending = TestEventOf<'AnalysisDone' | 'AnalysisFailed'> | keyof typeof VERDICTS;

/** The reply to the sender if no event records what happened to its email. */
const VERDICTS = {
  full: 'too_much_mail',
  unknown: 'temporary_failure',
  overloaded: 'overloaded',
} as const;

/**
 * Analyses the emails that this process holds. A `MailArrived` event starts each analysis, which appends the
 * report on its own subject and then the small `AnalysisDone` that names it. Pass it every event of the
 * tests, in order.
 */
export function createAnalyzer(ports: AnalyzerPorts) {
  const { tests, reports, mailBuffer, clock, newId, replica, logger, traces } = ports;
  const running = new Set<Promise<void>>();

  // Reports from interrupted attempts stay in the log, but no `AnalysisDone` names them. A leftover report
  // costs the next attempt one lost append.
  const decideReport = decideOn<ReportWritten | EncodedEvent, { readonly seq: number }>(
    reports,
    async (_, seq) => ({ seq }),
  );

  const author = ({ event }: Arrival) => ({
    id: newId(),
    by: replica,
    at: clock(),
    after: event.at,
  });

  function failed(arrival: Arrival, reason: TestEventOf<'AnalysisFailed'>['data']['reason']) {
    const data = { attempt: arrival.event.data.attempt, reason };
    return toEvent({ type: 'AnalysisFailed', data }, author(arrival));
  }

  async function analyse(arrival: Arrival, mail: WaitingMail): Promise<Ending> {
    const { event, id } = arrival;
    const { createdAt, expiresAt: unused } = mail.created;
    const retention = Date.parse(unused) - Date.parse(createdAt);
    const expiresAt = new Date(Date.parse(event.at) + retention).toISOString();
    const made = await mail.analyzed.report({ receivedAt: event.at, expiresAt });
    if (made === 'lost') return failed(arrival, 'worker_lost');

    const { json, sha256, score, grade, analyzedAt } = made;
    if (json.length > MAX_REPORT_BYTES) return failed(arrival, 'report_too_large');
    const header = {
      v: 1,
      id: newId(),
      at: analyzedAt,
      by: replica,
      type: 'ReportWritten',
    } as const;
    const written = { id: header.id, json: toStoredEvent(header, json) };
    const stored = await decideReport(id, undefined, () => ({ event: written }));
    if (stored.outcome !== 'appended') return stored.outcome === 'full' ? 'full' : 'unknown';
    ports.offerReport?.(id, stored.seq, json);
    const data = {
      attempt: event.data.attempt,
      report_seq: stored.seq,
      report_sha256: sha256,
      score,
      grade,
      duration_ms: Math.round(performance.now() - mail.since),
    };
    return toEvent({ type: 'AnalysisDone', data }, author(arrival));
  }

  async function run(arrival: Arrival, mail: WaitingMail): Promise<void> {
    const attempt = arrival.event.data.attempt;
    const endSpan = traces?.begin('mail analysis', arrival.id);
    const ending = await analyse(arrival, mail).catch((error: unknown): Ending => {
      if (error instanceof Overloaded) return 'overloaded';
      if (error instanceof WorkerLost) return 'unknown';
      logger.error(
        { test_id: arrival.id, attempt, err: error },
        'analysis failed because of a defect; the test ends as analysis_failed',
      );
      return failed(arrival, 'analysis_defect');
    });
    const isEvent = typeof ending === 'object';
    // An event that followed the arrival has ended this attempt. In that case, nothing more is appended.
    const outcome = isEvent
      ? (await tests.append(arrival.id, ending, arrival.seq)).outcome
      : ending;

    logger.info({ test_id: arrival.id, attempt, outcome }, 'analysis ended');
    endSpan?.({ attempt, outcome });
    // No event names this report: the test may have been deleted and erased before the report was written.
    if (outcome === 'lost' && isEvent && ending.type === 'AnalysisDone')
      await reports
        .erase(ending.data.report_seq, 'secure')
        .catch((err: unknown) => logger.warn({ test_id: arrival.id, err }, 'report not erased'));
    // If the append lost, the event that came first decides. If no event is known to be written, the email is
    // handed back.
    if (outcome in VERDICTS) mail.handBack(verdict(VERDICTS[outcome as keyof typeof VERDICTS]));
  }

  return {
    onEvent(recorded: Recorded<TestEvent>): void {
      if (!isArrival(recorded)) return;
      const mail = mailBuffer.take(recorded.event.id);
      if (!mail) return;
      const job = run(recorded, mail)
        .catch((error: unknown) => {
          logger.error(
            { test_id: recorded.id, err: error },
            'analysis not recorded; the sender was asked to try again',
          );
          mail.handBack(verdict('temporary_failure'));
        })
        .finally(() => running.delete(job));
      running.add(job);
    },
    /** Resolves when no analysis is in progress. */
    async idle(): Promise<void> {
      await Promise.all(running);
    },
  };
}

const isArrival = (recorded: Recorded<TestEvent>): recorded is Arrival =>
  recorded.event.type === 'MailArrived';
