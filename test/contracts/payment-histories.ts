/**
 * Runs every history of a payment through the log and a replica, and compares the state, the responses to
 * buyers, the settlements that continue and the operator's ledger with the model.
 */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LOW_WATER_KEY } from '../../src/domain/high-water-marks.ts';
import type { OriginalPaymentEvent } from '../../src/domain/payment-events.ts';
import { decodeHeader } from '../../src/domain/x402-headers.ts';
import { runReplay } from '../../src/operator/replay/replay.ts';
import { foldPayment, type PaymentState } from '../../src/projection/fold.ts';
import { TOKEN, TOKEN_SHA256 } from '../api/harness.ts';
import { anEvent, aReportWritten } from '../support/log/events.ts';
import {
  type HistoryReplica,
  type Logs,
  startHistoryReplica,
} from '../support/log/history-replica.ts';
import { memoryClaims } from '../support/log/memory-kv.ts';
import { paymentModel } from '../support/log/model.ts';
import { expectWhole, goWalks, type Stage, seqOf } from '../support/log/test-histories.ts';
import {
  chainOf,
  ledgerOf,
  nonceOf,
  type PaymentHistory,
  personal,
  startOf,
} from '../support/payments/payment-history.ts';
import { eventually } from '../support/process/eventually.ts';
import type { HistoriesHarness } from './test-histories.ts';

/**
 * Rounds between the beginnings of two histories, so that some are in progress at once and others are over.
 */
const STAGGER = 1 / 4;

const byId = (histories: readonly PaymentHistory[]) =>
  Object.fromEntries(histories.map(({ id, state }) => [id, [state.value, state.context]]));

const known = (payments: Iterable<readonly [string, PaymentState]>) =>
  Object.fromEntries([...payments].map(([id, { value, context }]) => [id, [value, context]]));

/**
 * Takes every pair of the model through the log and the payment follower. After each step, the fold at the
 * leader, the response to a buyer, the settlements that continue without a buyer, and what an operator is
 * shown must agree with the model.
 */
export function describePaymentHistories(name: string, start: () => Promise<HistoriesHarness>) {
  describe(`histories of payments ${name}`, () => {
    let harness: HistoriesHarness;
    let logs: Logs;
    beforeEach(async () => {
      harness = await start();
      logs = await harness.open();
    });
    afterEach(async () => {
      await logs?.close();
      await harness?.end();
    });

    /** Appends a test whose report can be bought. */
    async function appendReady(id: string): Promise<void> {
      const written = await logs.reports.append(id, aReportWritten(), 0);
      if (written.outcome !== 'appended') throw new Error(written.outcome);
      let seq = 0;
      for (const event of [
        anEvent('TestCreated', 0, { token_sha256: TOKEN_SHA256 }),
        anEvent('MailArrived', 60),
        anEvent('AnalysisDone', 61, { report_seq: written.seq }),
      ]) {
        const answer = await logs.tests.append(id, event, seq);
        if (answer.outcome !== 'appended') throw new Error(answer.outcome);
        seq = answer.seq;
      }
    }

    /** Compares the response to a buyer who sends no payment, which the log alone decides, at once. */
    async function compareAnswer(
      replica: HistoryReplica,
      { id, state }: PaymentHistory,
    ): Promise<void> {
      const headers = { 'x-read-token': TOKEN };
      const answer = await replica.ask(`/v1/report?test_id=${id}`, headers);
      const body: unknown = await answer.json();
      const receipt = answer.headers.get('payment-response');
      const offered = answer.headers.has('payment-required');
      if (state.value === 'paid') {
        expect([answer.status, offered]).toEqual([200, false]);
        expect(body).toEqual(aReportWritten().data.report);
        expect(receipt && decodeHeader(receipt)).toEqual(state.context.settled?.receipt);
        return;
      }
      const [status, code] =
        state.value === 'unpaid' ? [402, 'payment_required'] : [503, 'settlement_pending'];
      expect(body).toMatchObject({ status, code });
      expect([answer.status, offered, receipt]).toEqual([status, status === 402, null]);
    }

    /** Compares what the log and a buyer are told about one payment. */
    async function compareOne(replica: HistoryReplica, history: PaymentHistory): Promise<void> {
      const recorded = await logs.payments.read(history.id);
      const folded = foldPayment(recorded.map(({ event }) => event));
      expect([folded.value, folded.context]).toEqual([history.state.value, history.state.context]);
      expect(recorded.at(-1)?.seq ?? 0).toBe(seqOf(history));
      await compareAnswer(replica, history);
    }

    /** Compares the output of `replay payments`. */
    async function compareLedger(histories: readonly PaymentHistory[]): Promise<void> {
      const lines: object[] = [];
      const source = {
        ...logs,
        allClaims: memoryClaims().store,
        createStreams: async () => {},
        losses: async () => [],
        acceptLoss: async () => [],
        close: async () => {},
      };
      const print = (line: object) => void lines.push(line);
      const io = { print, printUsage: () => {}, printError: () => {} };
      await runReplay(['payments'], { open: async () => source, ...io });
      const entries = histories.flatMap(ledgerOf).sort((a, b) => a.seq - b.seq);
      expect(lines).toEqual(entries.map(({ seq: _, ...entry }) => entry));
    }

    function stageOf(restart: boolean) {
      let round = 0;
      let histories: readonly PaymentHistory[] = [];
      let mark = 1;
      /** Settlements whose earlier attempts a replica has not read, because they lie before its mark. */
      let unread = 0;
      const looked = new WeakMap<HistoryReplica, Set<number>>();
      const chain = chainOf(
        () => histories,
        () => round,
      );

      /**
       * Compares the settlements that the replica continues unasked, according to its follower and to the
       * log.
       */
      async function compareSettling(replica: HistoryReplica, settling: readonly PaymentHistory[]) {
        await eventually(() => expect(known(replica.payers.unresolved())).toEqual(byId(settling)));
        const before = looked.get(replica) ?? new Set();
        looked.set(replica, new Set(settling.map(startOf)));
        const due = settling.filter((history) => !before.has(startOf(history)));
        const looks = await replica.lookedAt();
        expect([...looks].sort()).toEqual(due.map(({ id }) => id).sort());
        for (const history of settling) {
          const signed = history.state.context.signed.map(({ attempt: _, ...tx }) => tx);
          expect(replica.resumed.get(nonceOf(history))).toEqual(signed);
        }
      }

      /** Compares the position at which the next replica may begin. */
      async function compareMark({ payers }: HistoryReplica): Promise<void> {
        const settling = histories.filter(({ state }) => state.value === 'settling');
        const end = Math.max(...histories.map(seqOf)) + 1;
        mark = Math.min(end, ...settling.map(startOf));
        await eventually(async () => {
          await payers.writeMark();
          expect(await logs.marks.get(LOW_WATER_KEY)).toEqual({ seq: mark });
        });
      }

      const isUnread = (history: PaymentHistory) =>
        startOf(history) >= mark && history.stored.some(({ fits, seq }) => fits && seq < mark);

      const stage: Stage<OriginalPaymentEvent, PaymentState, HistoryReplica> = {
        model: paymentModel,
        log: logs.payments,
        stagger: STAGGER,
        prepare: ({ id }) => appendReady(id),
        personal(event, { id }, current) {
          round = current;
          return personal(event, id, current);
        },
        start() {
          unread += histories.filter(isUnread).length;
          return harness.open().then((own) => startHistoryReplica(own, chain));
        },
        stop: (replica) => replica.stop(),
        async compare(replica, moved, all) {
          histories = all;
          await Promise.all(moved.map((history) => compareOne(replica, history)));
          await compareSettling(
            replica,
            all.filter(({ state }) => state.value === 'settling'),
          );
          await compareMark(replica);
          // The ledger reads only the log, which is the same with a replica and without one.
          if (!restart) await compareLedger(all);
        },
      };
      return { stage, unread: () => unread };
    }

    test.each([
      ['agree after each step', false],
      ['agree when the replica is restarted between every two events', true],
    ])('%s', async (_, restart) => {
      const { stage, unread } = stageOf(restart);
      const tour = await goWalks(stage, { restart });
      expectWhole(name, paymentModel, tour);
      if (restart) expect(unread()).toBeGreaterThan(0);
    });
  });
}
