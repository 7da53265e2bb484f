/** Sets a value as the newest of a map that keeps at most so many; the oldest one goes. */
export function setNewest<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  // The first key is sought past all that were deleted before it: not unless it has to go.
  if (map.size <= most) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
