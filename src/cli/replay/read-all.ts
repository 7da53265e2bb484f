import type { EventLog, Poison, Recorded } from '../../ports/log.ts';

/** Where a reading ends: at a sequence, or at an instant in milliseconds since 1970. */
export type Until = { readonly seq: number } | { readonly time: number };

/**
 * `--until`: a sequence of the stream, or an instant as RFC 3339.
 *
 * @throws when it is neither
 */
export function parseUntil(text: string): Until {
  if (/^\d{1,15}$/.test(text)) return { seq: Number(text) };
  const time = Date.parse(text);
  if (/^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(time)) return { time };
  throw new Error(
    `--until is ${text}; give a sequence or an instant such as 2026-11-20T10:00:00Z.`,
  );
}

/** Whether an event lies before the end or at it. */
export function isUntil<E>({ seq, time }: Recorded<E>, until: Until | undefined): boolean {
  if (!until) return true;
  return 'seq' in until ? seq <= until.seq : time <= until.time;
}

/** Everything that is in a log now; what comes in meanwhile is left out or not. */
export async function readAll<E>(
  log: Pick<EventLog<E>, 'follow'>,
  until?: Until,
): Promise<{ readonly events: readonly Recorded<E>[]; readonly poison: readonly Poison[] }> {
  const events: Recorded<E>[] = [];
  const poison: Poison[] = [];
  const following = log.follow({
    onEvent: (recorded) => {
      if (isUntil(recorded, until)) events.push(recorded);
    },
    onPoison: (one) => poison.push(one),
  });
  await following.ready;
  await following.stop();
  return { events, poison };
}
