import type { Clock } from '../../ports/ambient.ts';

const ANSWER_MS = 5_000;

/**
 * Returns how far our clock is ahead of the clock of a node's web server (RFC 9110 §6.6.1), in seconds, or
 * null if unknown.
 */
export async function readClockOffset(url: string, clock: Clock): Promise<number | null> {
  try {
    const { headers, body } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    await body?.cancel();
    const date = Date.parse(headers.get('date') ?? '');
    return Number.isNaN(date) ? null : (clock() - date) / 1000;
  } catch {
    return null;
  }
}
