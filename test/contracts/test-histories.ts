/**
 * Runs every history of a delivery test through the log and a replica, and compares the state, the API, the
 * buckets and the output of `replay states` with the model.
 */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toStatus } from '../../src/api/routes/test-status.ts';
import { isEnd, type OriginalTestEvent } from '../../src/domain/events.ts';
import type { StatusView } from '../../src/domain/status-view.ts';
import { states } from '../../src/operator/replay/states.ts';
import type { SignedPayment } from '../../src/ports/payment.ts';
import { fold, type TestState } from '../../src/projection/fold.ts';
import type { Row, StatusName } from '../../src/projection/row.ts';
import { settings } from '../api/harness.ts';
import { aReportWritten } from '../support/log/events.ts';
import {
  type HistoryReplica,
  type Logs,
  startHistoryReplica,
} from '../support/log/history-replica.ts';
import { testModel } from '../support/log/model.ts';
import {
  expectWhole,
  goWalks,
  type Stage,
  seqOf,
  type TestHistory,
} from '../support/log/test-histories.ts';
import { nameOf } from '../support/log/walks.ts';
import { eventually } from '../support/process/eventually.ts';

/** Where the histories are played: in memory, or on a server. */
export interface HistoriesHarness {
  /** Opens the logs and buckets over a connection of their own. */
  open(): Promise<Logs>;
  end(): Promise<void>;
}

type TestWalk = TestHistory<OriginalTestEvent, TestState>;

const DAY_MS = 86_400_000;

/** A chain without payments, because none is begun in these histories. */
const chain = {
  head: async () => 100,
  spell: (payment: SignedPayment) => payment,
  isSignedByKey: async () => true,
  balance: async () => 0n,
  confirm: async () => undefined,
  checkSignature: async (payment: SignedPayment) => ({ ok: true as const, payment }),
  ended: async () => undefined,
  outcome: async () => ({ state: 'open' as const }),
};

/** Returns the model's state in the form of a row. */
function rowOf(history: TestWalk): Row | undefined {
  const [status = '', within] = nameOf(history.state).split('.');
  if (status === 'unknown' || status === 'expired') return undefined;
  const { context } = history.state;
  return {
    seq: seqOf(history),
    status: status as StatusName,
    refused: within === 'refused',
    context,
  };
}

/** Returns the model's state in the form of the bucket's entry. */
function statusViewOf(history: TestWalk): StatusView | undefined {
  const row = rowOf(history);
  if (!row) return undefined;
  const { seq, status, refused, context } = row;
  const expires = Date.parse(context.receivedAt ?? context.createdAt) + DAY_MS;
  return {
    ...{ seq, status, refused },
    send_before: context.sendBefore,
    received_at: context.receivedAt,
    expires_at: new Date(expires).toISOString(),
  };
}

/**
 * Takes every pair of the model through the log, the follower and the projector. After each step, the fold at
 * the leader, the row, the status endpoint and the bucket must agree with the model.
 */
export function describeTestHistories(name: string, start: () => Promise<HistoriesHarness>) {
  describe(`histories of tests ${name}`, () => {
    let harness: HistoriesHarness;
    let logs: Logs;
    let reportSeq: number;
    beforeEach(async () => {
      harness = await start();
      logs = await harness.open();
      const written = await logs.reports.append('report', aReportWritten(), 0);
      if (written.outcome !== 'appended') throw new Error(written.outcome);
      reportSeq = written.seq;
    });
    afterEach(async () => {
      await logs?.close();
      await harness?.end();
    });

    async function compare(replica: HistoryReplica, history: TestWalk): Promise<void> {
      const { id, state } = history;
      const row = rowOf(history);
      expect(replica.follower.row(id)).toEqual(row);

      const recorded = await logs.tests.read(id);
      const folded = fold(recorded.map(({ event }) => event));
      expect([folded.value, folded.context]).toEqual([state.value, state.context]);
      expect(recorded.at(-1)?.seq ?? 0).toBe(seqOf(history));

      let answer = await replica.ask(`/v1/tests/${id}/status`);
      // The log of a busy machine responds late, so a client asks again.
      while (answer.status === 503) answer = await replica.ask(`/v1/tests/${id}/status`);
      const body: unknown = await answer.json();
      if (row) expect(body).toEqual(toStatus(id, row, settings().durations));
      else expect(body).toMatchObject({ status: 404, code: 'test_not_found' });
      expect(answer.status).toBe(row ? 200 : 404);

      // The entry is written by now, unless the server made the projector wait and try again.
      await eventually(async () => {
        expect(await logs.statusViews.get(id)).toEqual(statusViewOf(history));
      });
    }

    /** Resolves when the replica has received everything and has written it to the buckets. */
    async function caughtUp(
      replica: HistoryReplica,
      histories: readonly TestWalk[],
    ): Promise<void> {
      const seqOfRow = (history: TestWalk) => rowOf(history)?.seq;
      const isThere = (history: TestWalk) =>
        replica.follower.row(history.id)?.seq === seqOfRow(history);
      await eventually(() => expect(histories.filter((history) => !isThere(history))).toEqual([]));
      await replica.projected();
    }

    /**
     * Compares the output of `replay states`, with which an operator sees a whole history. An end with
     * nothing before it is all that remains of an erased test, and is shown as its end.
     */
    async function compareStates({ id, stored }: TestWalk): Promise<void> {
      let erased = false;
      const lines = stored.map(({ seq, event, state }) => {
        erased ||= isEnd(event.type) && state.value === 'unknown';
        return { seq, state: erased ? 'expired' : nameOf(state) };
      });
      const shown: object[] = [];
      const call = { argument: id, until: undefined, unsafe: false, hint: () => {} };
      await states(logs, { ...call, print: (line) => void shown.push(line) });
      expect(shown).toMatchObject(lines);
    }

    const stage = (restart: boolean): Stage<OriginalTestEvent, TestState, HistoryReplica> => ({
      model: testModel,
      log: logs.tests,
      stagger: 0,
      personal: (event) =>
        event.type === 'AnalysisDone'
          ? { ...event, data: { ...event.data, report_seq: reportSeq } }
          : event,
      start: async () => startHistoryReplica(await harness.open(), chain),
      stop: (replica) => replica.stop(),
      async compare(replica, moved) {
        await caughtUp(replica, moved);
        await Promise.all(moved.map((history) => compare(replica, history)));
        // A replica that starts later copies a report only if no other replica did within a second.
        const ready = restart ? [] : moved.filter(({ state }) => state.value === 'ready');
        await eventually(async () => {
          const views = await Promise.all(ready.map(({ id }) => logs.reportViews.get(id)));
          expect(views.map((view) => view?.seq)).toEqual(ready.map(() => reportSeq));
        });
      },
    });

    test.each([
      ['agree after each step', false],
      ['agree when the replica is restarted between every two events', true],
    ])('%s', async (_, restart) => {
      const tour = await goWalks(stage(restart), { restart });
      await Promise.all(tour.histories.map(compareStates));
      expectWhole(name, testModel, tour);
    });
  });
}
