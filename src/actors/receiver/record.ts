/**
 * Records in the log that an email arrived or was refused, waits for the analysis of an email that arrived,
 * and returns the verdict for its sender.
 */

import { toEvent } from '../../domain/envelope.ts';
import type { RefusalReason, TestEvent, TestEventOf } from '../../domain/events.ts';
import { type MailVerdict, verdict } from '../../domain/replies.ts';
import { decideOn } from '../../ports/decide.ts';
import type { AnalyzedMail } from '../../ports/mail.ts';
import { sendAgainBefore } from '../../projection/deadlines.ts';
import { evolve } from '../../projection/fold.ts';
import { type Row, toRow, toState } from '../../projection/row.ts';
import { doneWithin } from '../done-within.ts';
import { decideContent } from './decisions.ts';
import type { Outcomes } from './outcomes.ts';
import type { ReceiverPorts, ReceiverSettings, Transaction } from './ports.ts';
import { toRefusal } from './refusal.ts';

/**
 * Longest wait beyond the time limit of an analysis, in milliseconds. Normally the log ends the wait earlier:
 * this is for a log that has become unavailable.
 */
const GRACE_MS = 20_000;

/** Matches the domains that the event's schema accepts. A From field may contain anything. */
const DOMAIN = /^[^@\s]{1,255}$/;

interface JudgedMail extends Pick<Transaction, 'testId' | 'envelope' | 'created'> {
  readonly digest: string;
  readonly sizeBytes: number;
  readonly analyzed: AnalyzedMail;
}

type DraftOf<Name extends TestEvent['type']> = Pick<TestEventOf<Name>, 'type' | 'data'>;
type Draft = DraftOf<'MailArrived'> | DraftOf<'MailRefused'>;

const toArrival =
  ({ envelope: { source, client, from }, digest, sizeBytes, analyzed: { gate } }: JudgedMail) =>
  (row: Row): Draft => ({
    type: 'MailArrived',
    data: {
      attempt: row.context.attempts + 1,
      size_bytes: sizeBytes,
      digest,
      source,
      ip: client.ip,
      helo: client.helo,
      tls: client.tls.status,
      envelope_domain: from.domain,
      header_from_domain: DOMAIN.test(gate.headerFromDomain ?? '') ? gate.headerFromDomain : null,
    },
  });

/** Makes the gate's decision durable and returns the verdict that follows from it. */
export function createRecorder(
  ports: ReceiverPorts,
  settings: ReceiverSettings,
  outcomes: Outcomes,
) {
  const { tests, rows, mailBuffer, clock, newId, replica } = ports;
  const decide = decideOn(tests, rows.refresh);
  const patienceMs = settings.analysisTimeoutSeconds * 1000 + GRACE_MS;

  /**
   * Appends while the test is open. If another email has closed it, returns the verdict on this email.
   *
   * @param unfit the verdict for an open test that no longer accepts such an event
   */
  const append = async (
    { testId, digest }: JudgedMail,
    id: string,
    draft: (row: Row) => Draft,
    unfit: (row: Row) => MailVerdict,
  ) =>
    decide(testId, await rows.find(testId), (row) => {
      const now = clock();
      const decision = decideContent(row, digest, now);
      if (decision !== 'gate') return { refusal: decision };
      if (!row) return { refusal: verdict('unknown_address') };
      const event = toEvent(draft(row), { id, by: replica, at: now, after: row.context.at });
      return toState(row).can(event) ? { event } : { refusal: unfit(row) };
    });

  async function recordRefusal(
    mail: JudgedMail,
    reasons: readonly [RefusalReason, ...RefusalReason[]],
  ): Promise<MailVerdict> {
    const refusal = (row: Row | undefined) =>
      toRefusal(reasons[0], (row && sendAgainBefore(row, settings)) ?? clock());
    const draft: Draft = { type: 'MailRefused', data: { reasons: [...reasons] } };
    // An email is refused even if no event records the refusal: a test has at most sixteen such events
    // between two arrivals, and a full log accepts none.
    const recorded = await append(mail, newId(), () => draft, refusal);
    if (recorded.outcome === 'refused') return recorded.refusal;
    const { outcome, known, event } = recorded;
    if (outcome === 'unknown' || outcome === 'lost') return verdict('temporary_failure');
    // The reply contains a link to the page, which must show the refusal immediately.
    await rows.refresh(mail.testId).catch(() => undefined);
    return refusal(known && toRow(evolve(toState(known), event), known.seq));
  }

  async function recordArrival(mail: JudgedMail): Promise<MailVerdict> {
    const { testId, created, digest, analyzed } = mail;
    const id = newId();
    const waiting = outcomes.expect(id, testId);
    const since = performance.now();
    mailBuffer.hold(id, { analyzed, created, since, handBack: waiting.resolve });
    try {
      const recorded = await append(mail, id, toArrival(mail), () => verdict('closed'));
      if (recorded.outcome === 'refused') return recorded.refusal;
      switch (recorded.outcome) {
        case 'appended':
          return (
            (await doneWithin(waiting.outcome, patienceMs)) ?? (await decideAgain(testId, digest))
          );
        case 'full':
          return verdict('too_much_mail');
        case 'lost':
          return verdict('temporary_failure');
        case 'unknown':
          // The event may have been stored after all, and the email may even have been analysed. In that
          // case, the log has delivered the events.
          return await Promise.race([waiting.outcome, verdict('temporary_failure')]);
      }
    } finally {
      mailBuffer.take(id);
      waiting.forget();
    }
  }

  /** Decides by the state at the leader, because no event records the outcome for the email. */
  async function decideAgain(testId: string, digest: string): Promise<MailVerdict> {
    const decision = decideContent(await rows.refresh(testId), digest, clock());
    return decision === 'gate' ? verdict('temporary_failure') : decision;
  }

  return { recordRefusal, recordArrival };
}
