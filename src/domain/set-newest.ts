/** Sets a value as the newest of a map that keeps at most `most` values, and removes the oldest. */
export function setNewest<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  // Finding the first key means skipping all that were deleted before it, so do it only if one must go.
  if (map.size <= most) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
