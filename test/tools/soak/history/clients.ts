import { setTimeout as sleep } from 'node:timers/promises';
import type { Prng } from '../../../support/prng/prng.ts';
import type { Calls, Owned } from './calls.ts';
import type { Replica } from './target.ts';

/** Between two polls of one client, in milliseconds, at most. */
const POLL_MS = 300;

/** After a request that failed, in milliseconds. */
const AGAIN_MS = 200;

/** Attempts of a sender whose mail was neither taken nor refused. */
const MAIL_TRIES = 8;

interface Options {
  readonly calls: Calls;
  readonly replicas: readonly [Replica, ...Replica[]];
  readonly random: Prng;
  /** Clients at once. */
  readonly count: number;
  /** No test is begun after this many, or after this instant. */
  readonly tests: number;
  readonly until: number;
  /** Every test that was begun is added. */
  readonly known: Owned[];
}

/** Clients that create, poll, send, are refused, read and pay, each at whatever replica. */
export async function runClients(options: Options): Promise<void> {
  const { calls, replicas, random, count, until, known } = options;
  let begun = 0;

  async function live(owned: Owned, mine: Prng): Promise<void> {
    const at = () => mine.pick(replicas);
    const plan = mine.number();
    const watching = watch(owned, mine.split());
    if (plan < 0.35) await calls.mail(at(), owned, true);
    // One in ten sends nothing, and one in ten gives up after a refusal.
    if (plan >= 0.1 && plan < 0.9) {
      let reply: string | undefined;
      for (let tried = 0; !reply && tried < MAIL_TRIES; tried++) {
        reply = await calls.mail(at(), owned, false);
        if (!reply) await sleep(AGAIN_MS);
      }
      await calls.read(at(), owned, false);
      if (reply === 'analysed' && mine.number() < 0.4) {
        await calls.read(at(), owned, true);
        await calls.read(at(), owned, false);
      }
    }
    watching.stop();
    await watching.ended;
  }

  function watch(owned: Owned, mine: Prng) {
    let stopped = false;
    const run = async () => {
      while (!stopped) {
        await calls.poll(mine.pick(replicas), owned);
        await sleep(mine.integer(10, POLL_MS));
      }
    };
    const ended = run();
    return {
      ended,
      stop: () => {
        stopped = true;
      },
    };
  }

  async function client(mine: Prng): Promise<void> {
    while (begun < options.tests && Date.now() < until) {
      begun++;
      const owned = await calls.create(mine.pick(replicas));
      if (owned) {
        known.push(owned);
        await live(owned, mine.split());
      } else await sleep(AGAIN_MS);
    }
  }

  await Promise.all(Array.from({ length: count }, () => client(random.split())));
}
