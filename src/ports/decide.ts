/** Appends the next event of a subject, and decides again if another writer came first. */

import type { Appended, EventLog } from './log.ts';

/** Maximum number of attempts. If a subject changes faster than that, the caller has to ask again. */
const MAX_ROUNDS = 5;

type Decision<Event, Refusal> = { readonly event: Event } | { readonly refusal: Refusal };

/**
 * Appends the next event of a subject. `choose` makes the event from what is known about the subject
 * (`undefined` if nothing), and the event is appended only if that is still the latest. If another event came
 * first, this is repeated with what `refresh` returns.
 *
 * @param refresh returns what the leader has after the event at `seq`
 * @throws what `append`, `choose` and `refresh` throw
 */
export const decideOn =
  <E, Known extends { readonly seq: number }>(
    log: Pick<EventLog<E>, 'append'>,
    refresh: (id: string, seq: number) => Promise<Known | undefined>,
  ) =>
  async <Event extends E, Refusal = never>(
    id: string,
    known: Known | undefined,
    choose: (known?: Known) => Decision<Event, Refusal> | Promise<Decision<Event, Refusal>>,
    { rounds = MAX_ROUNDS, deadlineMs }: { rounds?: number; deadlineMs?: number } = {},
  ) => {
    for (let now = known, round = 1; ; round++) {
      const decision = await choose(now);
      if ('refusal' in decision) return { outcome: 'refused', ...decision } as const;
      const { event } = decision;
      const appended: Appended = await log.append(id, event, now?.seq ?? 0, deadlineMs);
      if (appended.outcome !== 'lost' || round >= rounds) return { ...appended, event, known: now };
      now = await refresh(id, appended.seq);
    }
  };
