import type { OriginalTestEvent, RefusalReason } from '../../domain/events.ts';
import { type MailVerdict, verdict } from '../../domain/replies.ts';
import type { AnalyzedMail } from '../../ports/mail.ts';
import { sendAgainBefore } from '../../projection/deadlines.ts';
import type { Row } from '../../projection/row.ts';
import { appendWhileOpen } from './append.ts';
import { decideContent } from './decisions.ts';
import type { Outcomes } from './outcomes.ts';
import type { ReceiverPorts, ReceiverSettings, Transaction } from './ports.ts';
import { toRefusal } from './refusal.ts';

/**
 * Longest wait beyond the time-out of an analysis, in milliseconds. The log ends the wait before:
 * this is for a log that has gone away meanwhile.
 */
const GRACE_MS = 20_000;

/** What the event's schema takes: a From field may hold anything. */
const DOMAIN = /^[^@\s]{1,255}$/;

interface JudgedMail extends Pick<Transaction, 'testId' | 'envelope' | 'created'> {
  readonly digest: string;
  readonly sizeBytes: number;
  readonly analyzed: AnalyzedMail;
}

/** Makes the gate's decision durable, and gives the verdict that follows from it. */
export function createRecorder(
  ports: ReceiverPorts,
  settings: ReceiverSettings,
  outcomes: Outcomes,
) {
  const { rows, mailBuffer, clock, newId, replica } = ports;

  async function recordRefusal(
    { testId, digest }: JudgedMail,
    reasons: readonly [RefusalReason, ...RefusalReason[]],
  ): Promise<MailVerdict> {
    const id = newId();
    const make = (_: Row, at: string): OriginalTestEvent => ({
      v: 1,
      id,
      type: 'MailRefused',
      at,
      by: replica,
      data: { reasons: [...reasons] },
    });
    const recorded = await appendWhileOpen(ports, { testId, digest, make });
    if (!('outcome' in recorded)) return recorded;
    if (recorded.outcome === 'unknown') return verdict('temporary_failure');
    // The reply links to the page, which must show the refusal at once.
    await rows.refresh(testId).catch(() => undefined);
    // `unfit` is the seventeenth refusal, `full` a log without room: refused all the same.
    const until = sendAgainBefore(recorded.row, settings) ?? clock();
    return toRefusal(reasons[0], until);
  }

  async function recordArrival(mail: JudgedMail): Promise<MailVerdict> {
    const { testId, created, digest, analyzed } = mail;
    const id = newId();
    const waiting = outcomes.expect(id, testId);
    const since = performance.now();
    mailBuffer.hold(id, { analyzed, created, since, handBack: waiting.settle });
    try {
      const make = (row: Row, at: string) => toArrivalEvent(mail, { id, at, row });
      const recorded = await appendWhileOpen(ports, { testId, digest, make });
      if (!('outcome' in recorded)) return recorded;
      switch (recorded.outcome) {
        case 'appended':
          return await awaitOutcome(waiting.outcome, () => decideAgain(testId, digest));
        case 'full':
          return verdict('too_much_mail');
        case 'unfit':
          return verdict('closed');
        case 'unknown':
          // Stored after all, and even analysed? Then the log has delivered its events.
          return await Promise.race([waiting.outcome, verdict('temporary_failure')]);
      }
    } finally {
      mailBuffer.take(id);
      waiting.forget();
    }
  }

  const toArrivalEvent = (
    { envelope: { source, client, from }, digest, sizeBytes, analyzed: { gate } }: JudgedMail,
    { id, at, row }: { readonly id: string; readonly at: string; readonly row: Row },
  ): OriginalTestEvent => ({
    v: 1,
    id,
    type: 'MailArrived',
    at,
    by: replica,
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

  async function awaitOutcome(
    outcome: Promise<MailVerdict>,
    onTimeout: () => Promise<MailVerdict>,
  ): Promise<MailVerdict> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const wait = settings.analysisTimeoutSeconds * 1000 + GRACE_MS;
    const timer = setTimeout(resolve, wait, undefined);
    try {
      return (await Promise.race([outcome, promise])) ?? (await onTimeout());
    } finally {
      clearTimeout(timer);
    }
  }

  /** No event records what became of the mail: the leader's state decides. */
  async function decideAgain(testId: string, digest: string): Promise<MailVerdict> {
    const decision = decideContent(await rows.refresh(testId), digest, clock());
    return decision === 'gate' ? verdict('temporary_failure') : decision;
  }

  return { recordRefusal, recordArrival };
}
