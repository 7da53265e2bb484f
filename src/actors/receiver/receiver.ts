import { createInputGuard } from '../../analysis/mail/input-guard.ts';
import type { TestEvent } from '../../domain/events.ts';
import { networksOf } from '../../domain/fairness/networks.ts';
import { countRecentBytes, createShares, type Shares } from '../../domain/fairness/shares.ts';
import { Overloaded } from '../../domain/overloaded.ts';
import { type MailVerdict, type ReplyLinks, verdict } from '../../domain/replies.ts';
import type { Recorded } from '../../ports/log.ts';
import type {
  GiveWay,
  MailEnvelope,
  ProviderBlock,
  Receiver,
  Reception,
} from '../../ports/mail.ts';
import { readReceivedContent } from './content.ts';
import { decideAddress, decideContent, decideRecipient } from './decisions.ts';
import { createOutcomes } from './outcomes.ts';
import type { ReceiverPorts, ReceiverSettings, Transaction } from './ports.ts';
import { createRecorder } from './record.ts';
import { takeRelayField } from './relay-field.ts';

/**
 * Handles each email, received by SMTP or from an inbound provider, from its recipient to its verdict:
 * accepts or refuses the recipient, reads the content, has it judged, and has the decision recorded in the
 * log. Every state that outlives the sender's connection is an event. The email itself is in the mail buffer,
 * and is gone once the verdict is known. Pass every event of the tests to the receiver, in order: the end of
 * an analysis comes through the log.
 */
export function createReceiver(
  ports: ReceiverPorts,
  settings: ReceiverSettings,
): Receiver & { onEvent(recorded: Recorded<TestEvent>): void } {
  const { rows, health, analyze, mailBuffer, clock, logger, mails, traces } = ports;
  const outcomes = createOutcomes();
  const transactions = createOpenTransactions();
  const analyses = createShares(settings.maxAnalyses);
  const { recordRefusal, recordArrival } = createRecorder(ports, settings, outcomes);

  async function open(
    envelope: MailEnvelope,
    onGiveWay?: GiveWay,
  ): Promise<Transaction | MailVerdict> {
    const address = decideAddress(envelope.to, settings);
    if (!('testId' in address)) return address;
    if (!health.connected() || !rows.caughtUp()) return verdict('temporary_failure');

    const { testId } = address;
    const row = await rows.find(testId);
    if (!row) return verdict('unknown_address');
    const decision = decideRecipient(row, clock());
    if (typeof decision === 'object') return decision;
    if (decision === 'open' && (envelope.declaredBytes ?? 0) > settings.maxMessageBytes)
      return verdict('too_large', { n: String(settings.maxMessageBytes) });

    const transaction = toTransaction(testId, envelope, row.context, onGiveWay);
    if (!transactions.open(transaction)) return verdict('test_busy');
    if (decision === 'open')
      transaction.reservation = mailBuffer.reserve(envelope.declaredBytes, {
        ...transaction,
        giveWay: () => giveUp(transaction, verdict('memory_gave_way'), onGiveWay),
      });
    return transaction;
  }

  function toTransaction(
    testId: string,
    envelope: MailEnvelope,
    created: Transaction['created'],
    onGiveWay?: GiveWay,
  ): Transaction {
    const sent = countRecentBytes(performance.now());
    const transaction: Transaction = {
      ...{ testId, envelope, created, sent },
      path: networksOf(envelope.client.ip),
      reservation: null,
      isWhole: false,
      gaveWay: null,
      progress: () => (transaction.isWhole ? null : sent.rank()),
      giveWay: () => giveUp(transaction, verdict('replaced'), onGiveWay),
    };
    return transaction;
  }

  function giveUp(transaction: Transaction, reason: MailVerdict, onGiveWay?: GiveWay) {
    transaction.gaveWay = reason;
    end(transaction);
    onGiveWay?.(reason);
  }

  /** Resolves to `undefined`, or rejects, if the content did not arrive in full. */
  const read = (transaction: Transaction, chunks: AsyncIterable<Uint8Array>, ownFrom: number) =>
    readReceivedContent(chunks, transaction, {
      guard: createInputGuard(),
      maxMessageBytes: settings.maxMessageBytes,
      ownFrom,
    });

  async function judge(
    { testId, envelope, created, reservation }: Transaction,
    { digest, sizeBytes }: { readonly digest: string; readonly sizeBytes: number },
    block: ProviderBlock | undefined,
  ): Promise<MailVerdict> {
    const decision = decideContent(await rows.find(testId), digest, clock());
    if (decision !== 'gate') return decision;
    if (!reservation) return verdict('temporary_failure');

    // Lookups begin only now, because a client that never sends an email must not cause a single lookup.
    const { client, from } = envelope;
    const { mailDomain } = settings;
    const bytes = reservation.take();
    const analyzed = await analyze({ testId, mailDomain, client, from, digest, block, bytes });
    try {
      const { reasons, resolverDown } = analyzed.gate;
      if (resolverDown) return verdict('resolver_down');
      const mail = { testId, envelope, created, digest, sizeBytes, analyzed };
      const [first, ...others] = reasons;
      return await (first ? recordRefusal(mail, [first, ...others]) : recordArrival(mail));
    } finally {
      analyzed.end();
    }
  }

  function end(transaction: Transaction) {
    transactions.close(transaction);
    transaction.reservation?.release();
  }

  /** Either the log is unavailable or there is a bug. The sender keeps the email and tries again. */
  const failed = (testId: string | undefined) => (error: unknown) => {
    if (error instanceof Overloaded) return verdict('overloaded');
    logger.error(
      { test_id: testId, err: error },
      'email not handled; the sender was asked to try again',
    );
    return verdict('temporary_failure');
  };

  function countAnswer(outcome: string, testId?: string) {
    mails.inc({ outcome });
    logger.info({ test_id: testId, outcome }, 'mail answered');
  }

  function addLinks(answer: MailVerdict, testId?: string): MailVerdict {
    const site = settings.baseUrl();
    const page = testId === undefined ? site : `${site}/t/${testId}`;
    const links: ReplyLinks = { site, page };
    return { ...answer, facts: { ...links, ...answer.facts } };
  }

  async function handle(
    transaction: Transaction,
    chunks: AsyncIterable<Uint8Array>,
    block: ProviderBlock | undefined,
  ): Promise<MailVerdict | null> {
    const { envelope } = transaction;
    const mail = await takeRelayField(chunks, envelope.client).catch(() => undefined);
    if (!mail) return null;
    const content = await read(transaction, mail.content, block?.bytes ?? 0).catch(() => undefined);
    if (!content) return null;
    transaction.isWhole = true;
    const { path, testId, gaveWay, reservation } = transaction;
    const refusal = gaveWay ?? content.refusal;
    if (refusal) return refusal;
    if (reservation?.keep() === false) return verdict('too_much_waiting');
    if (!analyses.take(path)) return verdict('overloaded');
    return judge({ ...transaction, envelope: { ...envelope, client: mail.client } }, content, block)
      .catch(failed(testId))
      .finally(() => analyses.count(path, -1));
  }

  function toReception(transaction: Transaction): Reception {
    const { testId, envelope } = transaction;
    const endSpan = traces?.begin('mail transaction', testId);
    const close = (outcome: string) => {
      endSpan?.({ outcome, source: envelope.source });
      end(transaction);
    };
    return {
      async receive(chunks, block) {
        let outcome = 'broken_off';
        try {
          const answer = await handle(transaction, chunks, block);
          outcome = answer?.reply ?? outcome;
          countAnswer(outcome, testId);
          return answer && addLinks(answer, testId);
        } finally {
          close(outcome);
        }
      },
      abandon: () => close('broken_off'),
    };
  }

  return {
    async accept(envelope, onGiveWay) {
      const opened = await open(envelope, onGiveWay).catch(failed(undefined));
      if ('testId' in opened) return toReception(opened);
      countAnswer(opened.reply);
      return addLinks(opened);
    },
    onEvent: outcomes.onEvent,
  };
}

/**
 * A sender's retry may arrive while an earlier copy of the email hangs. No sender needs more than two copies
 * at once.
 */
const MAX_PER_TEST = 2;

/** Tracks the transactions of each test, from the accepted recipient to the verdict. */
function createOpenTransactions() {
  const byTest = new Map<string, Shares>();
  return {
    /**
     * Makes another transaction of the test give way if necessary. Returns false if the others have
     * progressed further.
     */
    open(transaction: Transaction): boolean {
      const shares = byTest.get(transaction.testId) ?? createShares(MAX_PER_TEST);
      byTest.set(transaction.testId, shares);
      return shares.claim(transaction);
    },
    close(transaction: Transaction) {
      const shares = byTest.get(transaction.testId);
      shares?.release(transaction);
      if (shares?.held() === 0) byTest.delete(transaction.testId);
    },
  };
}
