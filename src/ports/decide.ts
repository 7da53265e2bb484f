import type { Appended, EventLog } from './log.ts';

/** A subject that changes faster than that is left to who asks again. */
const MAX_ROUNDS = 5;

type Decision<Event, Refusal> = { readonly event: Event } | { readonly refusal: Refusal };

/**
 * The one way from what is known of a subject (`undefined`: nothing) to its next event: what `choose` makes of it,
 * appended where that was known. Where another event comes first, again with what `refresh` gives then.
 *
 * @param refresh what the leader has after the event at `seq`
 * @throws as `append`, `choose` and `refresh`
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
