/**
 * Sets a value as the newest entry of a map that keeps at most `most` entries, and removes the oldest one.
 */
export function setNewest<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  // Finding the first key makes the engine skip all keys that were deleted before it, so the first key is
  // read only if one entry has to be removed.
  if (map.size <= most) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
