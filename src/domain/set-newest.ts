/** Sets a value as the newest of a map that keeps at most `most` values, and removes the oldest. */
export function setNewest<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  // To find the first key, the engine skips all keys that were deleted before it, so this is done only if one
  // has to be removed.
  if (map.size <= most) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
