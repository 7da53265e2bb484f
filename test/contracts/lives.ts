import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { followTests } from '../../src/actors/follower.ts';
import { startProjector } from '../../src/actors/projector.ts';
import { toStatus } from '../../src/api/status.ts';
import type { ReportWritten, TestEvent } from '../../src/domain/events.ts';
import type { StatusView } from '../../src/domain/status-view.ts';
import type { EventLog, Projection } from '../../src/ports/log.ts';
import { fold, type TestState } from '../../src/projection/fold.ts';
import type { ReportView } from '../../src/projection/report-view.ts';
import { toRow } from '../../src/projection/row.ts';
import { toStatusView } from '../../src/projection/status-view.ts';
import { aReportWritten } from '../support/events.ts';
import { T0 } from '../support/instants.ts';
import { testPaths } from '../support/model.ts';
import { keptLogger, logMetrics } from '../support/quiet.ts';

/** The logs and buckets that a replica lives on. */
export interface LivesHarness {
  readonly tests: EventLog<TestEvent>;
  readonly reports: EventLog<ReportWritten>;
  readonly statusViews: Projection<StatusView>;
  readonly reportViews: Projection<ReportView>;
  end(): Promise<void>;
}

const durations = { refusalTimeoutSeconds: 900, analysisTimeoutSeconds: 60 };
const paths = testPaths();
const longest = Math.max(...paths.map(({ steps }) => steps.length));

/** A life under way: one path of the model on a subject of its own. */
interface Life {
  readonly id: string;
  readonly steps: readonly { readonly event: TestEvent; readonly state: TestState }[];
  seq: number;
}

/**
 * Every path of the model through append, follower and projector: after each step the row, the
 * status endpoint, the bucket and the fold of the log say what the model says. All paths go at
 * once, a step at a time.
 */
export function describeLives(name: string, start: () => Promise<LivesHarness>) {
  describe(`lives of tests ${name}`, { timeout: 60_000 }, () => {
    let harness: LivesHarness;
    let reportSeq: number;
    beforeAll(async () => {
      harness = await start();
      const written = await harness.reports.append('report', aReportWritten(), 0);
      if (written.outcome !== 'appended') throw new Error(written.outcome);
      reportSeq = written.seq;
    });
    afterAll(() => harness?.end());

    async function startReplica() {
      const { tests: log, ...views } = harness;
      const clock = () => T0 + 61_000;
      const { logger } = keptLogger();
      const follower = followTests({ log, clock, logger, metrics: logMetrics() });
      const replica = 'replica-1';
      const ports = { ...views, follower, clock, random: () => 0, replica, logger };
      const projector = startProjector(ports);
      await projector.ready;
      return {
        follower,
        async stop() {
          await projector.stop();
          await follower.stop();
        },
      };
    }
    type Replica = Awaited<ReturnType<typeof startReplica>>;

    async function appendStep(life: Life, n: number): Promise<void> {
      const step = life.steps[n];
      if (!step) return;
      const { event } = step;
      const named =
        event.type === 'AnalysisDone'
          ? { ...event, data: { ...event.data, report_seq: reportSeq } }
          : event;
      // Each path has the model's own events: their ids have to differ.
      const answer = await harness.tests.append(
        life.id,
        { ...named, id: `${life.id}-${n}` },
        life.seq,
      );
      if (answer.outcome !== 'appended') throw new Error(`${event.type}: ${answer.outcome}`);
      life.seq = answer.seq;
    }

    /** What the model says, with the report that is really there. */
    function expectedRow({ steps, seq }: Life, n: number) {
      const state = steps[n]?.state;
      const row = state && toRow(state, seq);
      if (!row || row.context.reportSeq === null) return row;
      return { ...row, context: { ...row.context, reportSeq } };
    }

    async function compare(replica: Replica, life: Life, n: number): Promise<void> {
      if (!life.steps[n]) return;
      const row = expectedRow(life, n);
      const waitFor = (check: () => Promise<void> | void) =>
        vi.waitFor(check, { timeout: 10_000, interval: 5 });
      await waitFor(() => expect(replica.follower.row(life.id)).toEqual(row));
      const [recorded, found] = await Promise.all([
        harness.tests.read(life.id),
        replica.follower.find(life.id),
      ]);
      expect(toRow(fold(recorded.map(({ event }) => event)), life.seq)).toEqual(row);
      expect(found && toStatus(life.id, found, durations)).toEqual(
        row && toStatus(life.id, row, durations),
      );
      await waitFor(async () => {
        const view = await harness.statusViews.get(life.id);
        expect(view).toEqual(row && toStatusView(row));
      });
    }

    const livesOf = (prefix: string): Life[] =>
      paths.map(({ steps }, n) => ({ id: `${prefix}${n}`, steps, seq: 0 }));

    const each = (lives: readonly Life[], work: (life: Life) => Promise<void>) =>
      Promise.all(lives.map(work));

    test('agree after each step', async () => {
      const lives = livesOf('run');
      const replica = await startReplica();
      for (let n = 0; n < longest; n++) {
        await each(lives, (life) => appendStep(life, n));
        await each(lives, (life) => compare(replica, life, n));
      }
      await replica.stop();
    });

    test('agree when the replica is restarted between every two events', async () => {
      const lives = livesOf('again');
      for (let n = 0; n < longest; n++) {
        await each(lives, (life) => appendStep(life, n));
        const replica = await startReplica();
        await each(lives, (life) => compare(replica, life, n));
        await replica.stop();
      }
    });

    test('leave a report for every test that is ready', async () => {
      const lives = livesOf('ready').filter(({ steps }) =>
        steps.some(({ event }) => event.type === 'AnalysisDone'),
      );
      const replica = await startReplica();
      for (const life of lives)
        for (const [n, { event }] of life.steps.entries())
          if (event.type !== 'Expired') await appendStep(life, n);
      await vi.waitFor(
        async () => {
          const views = await Promise.all(lives.map(({ id }) => harness.reportViews.get(id)));
          expect(views.map((view) => view?.seq)).toEqual(lives.map(() => reportSeq));
        },
        { timeout: 10_000, interval: 20 },
      );
      await replica.stop();
    });
  });
}
