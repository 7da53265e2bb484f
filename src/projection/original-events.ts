interface Restored<Original> {
  readonly type: 'HistoryRestored';
  readonly data: { readonly events: readonly Original[] };
}

/** Returns the events of a history since its last repair, preceded by those that the repair restored. */
export function originalEvents<Original extends { readonly type: string }>(
  events: readonly (Original | Restored<Original>)[],
): readonly Original[] {
  const at = events.findLastIndex(({ type }) => type === 'HistoryRestored');
  const restored = events[at] as Restored<Original> | undefined;
  return [...(restored?.data.events ?? []), ...(events.slice(at + 1) as Original[])];
}
