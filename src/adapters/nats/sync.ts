/** Finds out whether nats-server syncs every write to its disk. */

/** Time limit for the monitoring page, in milliseconds. It is needed only for a warning. */
const TIMEOUT_MS = 3000;

/**
 * Returns whether the server syncs its disk before each acknowledgement, or `unknown` if its monitoring
 * cannot be read. `delayed` means that a power cut loses up to two minutes of acknowledged events.
 *
 * @param url the servers, as in NATS_URL
 * @param monitoringUrl for example `http://127.0.0.1:8222`; by default, port 8222 of the first server
 */
export async function readSync(
  url: string,
  monitoringUrl?: string | null,
): Promise<'always' | 'delayed' | 'unknown'> {
  const [first = ''] = url.split(',');
  const { hostname } = new URL(first.includes('://') ? first : `nats://${first}`);
  try {
    const response = await fetch(new URL('/varz', monitoringUrl ?? `http://${hostname}:8222`), {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { jetstream } = (await response.json()) as {
      jetstream?: { config?: { sync_always?: boolean } };
    };
    if (!response.ok || !jetstream?.config) return 'unknown';
    // This member is present only if it is true.
    return jetstream.config.sync_always === true ? 'always' : 'delayed';
  } catch {
    return 'unknown';
  }
}
