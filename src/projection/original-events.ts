interface Restored<Original> {
  readonly type: 'HistoryRestored';
  readonly data: { readonly events: readonly Original[] };
}

/** Returns what has happened since the last repair of a history, including what that repair restored. */
export function originalEvents<Original extends { readonly type: string }>(
  events: readonly (Original | Restored<Original>)[],
): readonly Original[] {
  const at = events.findLastIndex(({ type }) => type === 'HistoryRestored');
  const restored = events[at] as Restored<Original> | undefined;
  return [...(restored?.data.events ?? []), ...(events.slice(at + 1) as Original[])];
}
