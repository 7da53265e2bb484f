/** Runs the attackers of a crowd in a separate thread. */

import { isMainThread } from 'node:worker_threads';
import { serve, startApart } from './apart.ts';
import { type Attacker, connectFrom, type Place, pause } from './crowd.ts';
import { crowds } from './rows.ts';

/** Pause of an attacker whose step failed, in milliseconds. */
const AGAIN_MS = 200;

/** Plays the attackers of a row until they are stopped. */
function play(name: string, place: Place) {
  const counts: Record<string, number> = {};
  const over = Promise.withResolvers<void>();
  let isOver = false;

  function attackerOf(n: number) {
    const clients = new Set<{ vanish(): void }>();
    // A different honest client of the API each time, in a network of its own.
    let calls = 0;
    const headers = () => ({
      'x-forwarded-for': `10.${(n >> 8) & 255}.${n & 255}.${++calls & 255}`,
    });
    const attacker: Attacker = {
      ...place,
      n,
      isOver: () => isOver,
      rest: (ms) => (ms === undefined ? over.promise : Promise.race([over.promise, pause(ms)])),
      count(name, by = 1) {
        counts[name] = (counts[name] ?? 0) + by;
      },
      async from(ip) {
        const client = await connectFrom(place.port, ip);
        clients.add(client);
        attacker.count('connections');
        return client;
      },
      async create() {
        const answer = await attacker.call('/v1/tests', { method: 'POST', headers: headers() });
        if (answer.status !== 201) throw new Error(`A test was not created: ${answer.status}.`);
        return (await answer.json()) as never;
      },
      call: (path, init) => fetch(`${place.http}${path}`, init),
    };
    return {
      attacker,
      end() {
        for (const client of clients) client.vanish();
        clients.clear();
      },
    };
  }

  const { connections, step } = crowds.find((one) => one.name === name)?.input ?? {
    connections: 0,
    step: async () => {},
  };
  const all = Array.from({ length: connections }, async (_, n) => {
    const { attacker, end } = attackerOf(n);
    do {
      await step(attacker).catch(() => pause(AGAIN_MS));
      end();
    } while (!isOver);
  });
  return {
    counts,
    async stop() {
      isOver = true;
      over.resolve();
      await Promise.all(all);
      return counts;
    },
  };
}

/** Plays one row after another. */
function createCalls() {
  let playing: ReturnType<typeof play> | undefined;
  return {
    start({ name, place }: { name: string; place: Place }): void {
      playing = play(name, place);
    },
    counts: () => playing?.counts ?? {},
    stop: async () => (await playing?.stop()) ?? {},
  };
}

/** Starts a separate thread that runs the attackers of each row. */
export const startAttackers = () => startApart<ReturnType<typeof createCalls>>(import.meta.url);

if (!isMainThread) serve(createCalls());
