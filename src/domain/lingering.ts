/**
 * Counts those that wait for somebody else, and so hold nothing that is scarce: of all of them one
 * network may have a quarter.
 */
export function createLingering(max: number) {
  const byNetwork = new Map<string, number>();
  let size = 0;
  return {
    /** false: there are enough. */
    add(network: string): boolean {
      const count = byNetwork.get(network) ?? 0;
      if (size >= max || count >= max / 4) return false;
      byNetwork.set(network, count + 1);
      size += 1;
      return true;
    },
    remove(network: string): void {
      const count = (byNetwork.get(network) ?? 0) - 1;
      if (count > 0) byNetwork.set(network, count);
      else byNetwork.delete(network);
      size -= 1;
    },
  };
}
