import type { Clock } from '../../ports/ambient.ts';
import type { WebRisk } from '../../ports/web.ts';

/** Hosts asked for one mail: the service is paid by the call. */
const MAX_HOSTS = 20;
const MAX_IN_FLIGHT = 8;

const DEADLINE_MS = 3000;

/** Clean answers carry no time of their own. */
const CLEAN_MS = 10 * 60 * 1000;

/** Hosts remembered; the oldest goes first. */
const MAX_CACHED = 10_000;

const THREATS = ['MALWARE', 'SOCIAL_ENGINEERING', 'UNWANTED_SOFTWARE'] as const;

type Said = { readonly threats: readonly string[]; readonly expiresAt: string | null };

export interface WebRiskOptions {
  /** null: nothing is asked. */
  readonly apiKey: string | null;
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly deadlineMs?: number;
}

/** Google Web Risk, `uris:search`: host names only, one call each. */
export function createWebRisk({
  apiKey,
  baseUrl,
  clock,
  deadlineMs = DEADLINE_MS,
}: WebRiskOptions): WebRisk {
  if (apiKey === null) return { configured: false, look: async () => ({}) };
  const cache = new Map<string, { readonly said: Said; holds(): boolean }>();

  const remember = (host: string, said: Said) => {
    const expires = said.expiresAt === null ? Number.NaN : Date.parse(said.expiresAt);
    const since = performance.now();
    const holds = () =>
      Number.isNaN(expires) ? performance.now() - since < CLEAN_MS : clock() < expires;
    cache.set(host, { said, holds });
    const oldest = cache.size > MAX_CACHED ? cache.keys().next().value : undefined;
    if (oldest !== undefined) cache.delete(oldest);
  };
  const look = async (host: string, signal: AbortSignal): Promise<Said | null> => {
    const cached = cache.get(host);
    if (cached?.holds()) return cached.said;
    const said = await search(baseUrl, apiKey, host, signal);
    if (said) remember(host, said);
    return said;
  };

  return {
    configured: true,
    async look(hosts) {
      const signal = AbortSignal.timeout(deadlineMs);
      const line = [...new Set(hosts)].slice(0, MAX_HOSTS);
      const found = new Map<string, Said | null>();
      const work = async () => {
        for (let host = line.shift(); host !== undefined; host = line.shift())
          found.set(host, await look(host, signal));
      };
      await Promise.all(Array.from({ length: MAX_IN_FLIGHT }, work));
      return Object.fromEntries(found);
    },
  };
}

/** null: no answer, or one that we do not understand. */
async function search(
  baseUrl: string,
  apiKey: string,
  host: string,
  signal: AbortSignal,
): Promise<Said | null> {
  const query = new URLSearchParams([
    ...THREATS.map((type): [string, string] => ['threatTypes', type]),
    ['uri', `https://${host}/`],
  ]);
  try {
    // The key goes in a header: URLs end up in logs on the way.
    const response = await fetch(`${baseUrl}/v1/uris:search?${query}`, {
      headers: { 'x-goog-api-key': apiKey },
      redirect: 'error',
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      return null;
    }
    return toSaid(await response.json());
  } catch {
    return null;
  }
}

/** `{}` is clean. */
function toSaid(body: unknown): Said | null {
  if (typeof body !== 'object' || body === null) return null;
  if (!('threat' in body)) return { threats: [], expiresAt: null };
  const { threat } = body;
  if (typeof threat !== 'object' || threat === null || !('threatTypes' in threat)) return null;
  const types: readonly unknown[] = Array.isArray(threat.threatTypes) ? threat.threatTypes : [];
  const threats = THREATS.filter((type) => types.includes(type));
  const expires = 'expireTime' in threat ? threat.expireTime : null;
  const expiresAt =
    typeof expires === 'string' && !Number.isNaN(Date.parse(expires))
      ? new Date(expires).toISOString()
      : null;
  return { threats, expiresAt };
}
