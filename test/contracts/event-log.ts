/** Defines the tests that every implementation of the event log must pass. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestEvent } from '../../src/domain/events.ts';
import type { EventLog, Following, Poison, Recorded } from '../../src/ports/log.ts';
import { anEvent } from '../support/log/events.ts';
import { eventually } from '../support/process/eventually.ts';

/** The parts that an event log under test must provide. */
export interface LogHarness {
  readonly log: EventLog<TestEvent>;
  /** Stores something that is not an event. */
  putRaw(id: string, body: string): Promise<void>;
  /** Kills the server and starts it again. */
  restart(): Promise<void>;
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  end(): Promise<void>;
}

/** Number of racing appends, of which one per subject wins. */
const RACERS = 200;

let lastId = 0;
/** Returns a subject of its own for each test, because the tests share one stream, like the service's. */
const newId = () => `s${String(++lastId).padStart(11, 'a')}`;

const created = () => anEvent('TestCreated');

/** Tests the promises of `EventLog`, which are the same for every adapter. */
export function describeEventLog(name: string, start: () => Promise<LogHarness>) {
  describe(`the event log ${name}`, () => {
    let harness: LogHarness;
    let log: EventLog<TestEvent>;
    let followings: Following[] = [];

    beforeAll(async () => {
      harness = await start();
      log = harness.log;
    });
    afterEach(async () => {
      await Promise.all(followings.map((one) => one.stop()));
      followings = [];
    });
    afterAll(() => harness?.end());

    function follow(from?: { time: number } | { seq: number }) {
      const events: Recorded<TestEvent>[] = [];
      const poison: Poison[] = [];
      const following = log.follow({
        ...(from && { from }),
        onEvent: (recorded) => events.push(recorded),
        onPoison: (one) => poison.push(one),
      });
      followings.push(following);
      const idsOf = (id: string) =>
        events.filter((one) => one.id === id).map(({ event }) => event.id);
      return { ...following, events, poison, idsOf };
    }

    async function append(id: string, events: readonly TestEvent[], after = 0): Promise<number[]> {
      const seqs: number[] = [];
      for (const event of events) {
        const appended = await log.append(id, event, seqs.at(-1) ?? after);
        if (appended.outcome !== 'appended') throw new Error(appended.outcome);
        seqs.push(appended.seq);
      }
      return seqs;
    }

    test('an event that expects an empty subject is the first', async () => {
      const id = newId();
      const event = created();
      const [seq = 0] = await append(id, [event]);
      expect(seq).toBeGreaterThan(0);
      const recorded = { id, seq, time: expect.any(Number), event, after: 0 };
      expect(await log.read(id)).toEqual([recorded]);
      expect(await log.readAt(seq)).toEqual(recorded);
    });

    test('a wrong expectation is lost and names the position of the event that won', async () => {
      const id = newId();
      const [first = 0, second = 0] = await append(id, [created(), anEvent('MailRefused', 1)]);
      expect(await log.append(id, created(), 0)).toEqual({ outcome: 'lost', seq: first });
      expect(await log.append(id, anEvent('MailRefused', 2), first)).toEqual({
        outcome: 'lost',
        seq: second,
      });
      expect(await log.read(id)).toHaveLength(2);
    });

    test('two hundred racers have one winner, and every loser knows the winner’s position', async () => {
      const id = newId();
      const outcomes = await Promise.all(
        Array.from({ length: RACERS }, () => log.append(id, created(), 0)),
      );
      const [winner] = outcomes.filter(({ outcome }) => outcome === 'appended');
      expect(winner).toBeDefined();
      const stored = await log.read(id);
      expect(stored).toHaveLength(1);
      const seq = stored[0]?.seq;
      expect(winner).toEqual({ outcome: 'appended', seq });
      const losers = outcomes.filter(({ outcome }) => outcome !== 'appended');
      expect(losers).toEqual(Array(RACERS - 1).fill({ outcome: 'lost', seq }));
    });

    test('an append repeated with the same event is appended at the same position', async () => {
      const id = newId();
      const event = created();
      const [seq = 0] = await append(id, [event]);
      expect(await log.append(id, event, 0)).toEqual({ outcome: 'appended', seq });
      await append(id, [anEvent('MailRefused', 1)], seq);
      expect(await log.append(id, event, 0)).toEqual({ outcome: 'appended', seq });
      expect(await log.read(id)).toHaveLength(2);
    });

    test('an event that does not match its schema is rejected', async () => {
      const broken = { ...created(), at: 'yesterday' };
      await expect(log.append(newId(), broken, 0)).rejects.toThrow(TypeError);
    });

    test('a subject holds 64 events and is then full', async () => {
      const id = newId();
      let seq = 0;
      for (let n = 0; n < 64; n++) [seq = 0] = await append(id, [anEvent('MailRefused', n)], seq);
      expect(await log.append(id, anEvent('MailRefused'), seq)).toEqual({ outcome: 'full' });
      expect(await log.read(id)).toHaveLength(64);
    });

    test('the outcome is unknown only after the deadline, and reading tells the truth', async () => {
      const id = newId();
      const event = created();
      await harness.goAway();
      const started = performance.now();
      const answer = log.append(id, event, 0, 300);
      expect(await answer).toEqual({ outcome: 'unknown' });
      expect(performance.now() - started).toBeGreaterThan(290);
      await harness.comeBack();
      const stored = await log.read(id);
      const repeated = await log.append(id, event, 0);
      expect(repeated.outcome).toBe('appended');
      expect((await log.read(id)).map((one) => one.event)).toEqual([event]);
      expect(stored.length).toBeLessThanOrEqual(1);
    });

    test('an append waits for a server that returns before the deadline', async () => {
      const id = newId();
      await harness.goAway();
      const answer = log.append(id, created(), 0);
      await harness.comeBack();
      expect((await answer).outcome).toBe('appended');
    });

    test('a reading is ordered and bounded', async () => {
      const id = newId();
      const events = [created(), anEvent('MailRefused', 1), anEvent('RefusalTimeout', 2)];
      const seqs = await append(id, events);
      const read = await log.read(id);
      expect(read.map(({ event }) => event)).toEqual(events);
      expect(read.map(({ seq }) => seq)).toEqual(seqs);
      expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
    });

    test('an absent subject is read as empty, without a time-out', async () => {
      const id = newId();
      await append(id, [created()]);
      const empty = log.read(newId());
      // Reads what is there, one read after another. On a slow machine, the reads are slow, too.
      const others = (async () => {
        for (let n = 0; n < 50; n += 1) await log.read(id);
      })();
      expect(await Promise.race([empty, others])).toEqual([]);
      await others;
    });

    test('a follower from the start receives everything, in order, once', async () => {
      const id = newId();
      const before = [created(), anEvent('MailRefused', 1)];
      const seqs = await append(id, before);
      const { events, ready, idsOf } = follow();
      await ready;
      const after = anEvent('RefusalTimeout', 2);
      await append(id, [after], seqs.at(-1));
      await eventually(() => expect(idsOf(id)).toEqual([...before, after].map((one) => one.id)));
      const all = events.map(({ seq }) => seq);
      expect(all).toEqual([...new Set(all)].sort((a, b) => a - b));
    });

    test('a follower from a time receives nothing older', async () => {
      const id = newId();
      const [first = 0] = await append(id, [created()]);
      await new Promise((resolve) => setTimeout(resolve, 20));
      const [second = 0] = await append(id, [anEvent('MailRefused', 1)], first);
      const [recorded] = (await log.read(id)).slice(1);
      const { events, ready } = follow({ time: recorded?.time ?? 0 });
      await ready;
      expect(events.map(({ seq }) => seq)).toEqual([second]);
    });

    test('a follower from a sequence number begins with it', async () => {
      const id = newId();
      const [, second = 0, third = 0] = await append(id, [
        created(),
        anEvent('MailRefused', 1),
        anEvent('MailRefused', 2),
      ]);
      const { events, ready } = follow({ seq: second });
      await ready;
      expect(events.map(({ seq }) => seq)).toEqual([second, third]);
    });

    test('a follower that wants certain texts receives nothing else, and is ready at the end', async () => {
      const id = newId();
      const [, refused = 0] = await append(id, [created(), anEvent('MailRefused', 1), created()]);
      const found: number[] = [];
      const following = log.follow({
        containing: new RegExp(`${id}|mailREFUSED`, 'i'),
        onEvent: ({ id: of, seq }) => void (of === id && found.push(seq)),
      });
      followings.push(following);
      await following.ready;
      expect(found).toEqual([refused]);
    });

    test('a follower survives a restart of the server without gap or duplicate', async () => {
      const id = newId();
      const before = created();
      const [seq = 0] = await append(id, [before]);
      const { ready, idsOf } = follow();
      await ready;
      await harness.restart();
      const after = [anEvent('MailRefused', 1), anEvent('RefusalTimeout', 2)];
      await append(id, after, seq);
      const expected = [before, ...after].map((one) => one.id);
      await eventually(() => expect(idsOf(id)).toEqual(expected));
    });

    test('a follower from a time survives a restart before its first event', async () => {
      const id = newId();
      const { ready, events } = follow({ time: Date.now() + 1000 });
      await ready;
      await harness.restart();
      const event = created();
      await append(id, [event]);
      await eventually(() => expect(events.map((one) => one.event.id)).toEqual([event.id]));
    });

    test('a stopped follower receives nothing more', async () => {
      const id = newId();
      const { ready, stop, idsOf } = follow();
      await ready;
      await stop();
      const other = follow();
      const [seq] = await append(id, [created()]);
      await eventually(() => expect(other.idsOf(id)).toHaveLength(1));
      expect(seq).toBeGreaterThan(0);
      expect(idsOf(id)).toEqual([]);
    });

    test('a follower that is stopped as soon as it is ready, or earlier, ends', async () => {
      const { ready, stop } = follow({ time: Date.now() + 1000 });
      await ready;
      await stop();
      await follow().stop();
    });

    test('a follower is ready if the last messages were erased', async () => {
      const id = newId();
      const seqs = await append(id, [created(), anEvent('MailRefused', 1)]);
      for (const seq of seqs) await log.erase(seq, 'plain');
      const { ready, idsOf, lag } = follow();
      await ready;
      expect(idsOf(id)).toEqual([]);
      expect(lag()).toBe(0);
    });

    test('an unreadable message is reported with its position and its fault, and damages its history', async () => {
      const id = newId();
      await harness.putRaw(id, 'not JSON');
      await harness.putRaw(id, JSON.stringify({ ...created(), v: 2 }));
      const other = newId();
      const event = created();
      await append(other, [event]);
      const { ready, poison, idsOf } = follow();
      await ready;
      await eventually(() => expect(idsOf(other)).toEqual([event.id]));
      const reported = poison.filter((one) => one.id === id);
      expect(reported.map(({ fault }) => fault)).toEqual(['unreadable', 'newer']);
      await expect(log.read(id)).rejects.toMatchObject({ code: 'test_damaged' });
      const [first = { seq: 0 }] = reported;
      const damage = { problem: 'unreadable', seq: first.seq };
      expect(await log.readRemains(id)).toMatchObject({ events: [], damage });
      expect(await log.readAt(reported[0]?.seq ?? 0)).toBeUndefined();
    });

    test('a follower whose reader throws continues', async () => {
      const id = newId();
      const [first = 0] = await append(id, [created(), anEvent('MailRefused', 1)]);
      const seen: number[] = [];
      const poison: Poison[] = [];
      const following = log.follow({
        from: { seq: first },
        onEvent: ({ seq }) => {
          seen.push(seq);
          if (seq === first) throw new Error('a defect');
        },
        onPoison: (one) => poison.push(one),
      });
      followings.push(following);
      await following.ready;
      expect(seen).toHaveLength(2);
      expect(poison).toEqual([{ id, seq: first, fault: 'unreadable' }]);
    });

    test('each event names the one before it, to readers and to followers', async () => {
      const id = newId();
      const places = await append(id, [created(), anEvent('MailRefused', 1)]);
      const { ready, events } = follow();
      await ready;
      await eventually(() => expect(events.filter((one) => one.id === id)).toHaveLength(2));
      const links = events.filter((one) => one.id === id).map(({ after }) => after);
      expect(links).toEqual([0, places[0]]);
      expect((await log.read(id)).map(({ after }) => after)).toEqual(links);
    });

    test('a history with a gap is not read, but its remains are', async () => {
      const id = newId();
      const events = [created(), anEvent('MailRefused', 1), anEvent('MailRefused', 2)];
      const [first = 0, second = 0, third = 0] = await append(id, events);
      await log.erase(second, 'plain');
      await expect(log.read(id)).rejects.toMatchObject({ code: 'test_damaged' });
      const remains = await log.readRemains(id);
      expect(remains.damage).toEqual({ problem: 'hole', seq: third });
      expect(remains.events.map(({ seq }) => seq)).toEqual([first, third]);
    });

    test.each(['secure', 'plain'] as const)('a %s erased event cannot be read', async (how) => {
      const id = newId();
      const events = [created(), anEvent('MailRefused', 1), anEvent('Expired', 2)];
      const [, second = 0] = await append(id, events);
      await log.erase(second, how);
      await log.erase(second, how);
      expect(await log.readAt(second)).toBeUndefined();
      const left = (await log.read(id)).map(({ event }) => event.type);
      expect(left).toEqual(['TestCreated', 'Expired']);
      expect((await log.append(id, created(), 0)).outcome).toBe('lost');
    });

    test('erasing something that never existed succeeds', async () => {
      await log.erase(1_000_000, 'secure');
    });
  });
}
