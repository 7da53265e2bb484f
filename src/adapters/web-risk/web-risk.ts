/** Asks Google Web Risk about the hosts that an email links to, and keeps its answers for a while. */

import { toDateTime } from '../../domain/instant.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { WebRisk } from '../../ports/web.ts';

/** Maximum number of hosts that are looked up for one email: the service charges per call. */
const MAX_HOSTS = 20;
const MAX_IN_FLIGHT = 8;

const DEADLINE_MS = 3000;

const BASE_URL = 'https://webrisk.googleapis.com';

/** How long a clean result is kept, in milliseconds, because the service states no time for it. */
const CLEAN_MS = 10 * 60 * 1000;

/** Number of hosts that are remembered. The oldest is forgotten first. */
const MAX_CACHED = 10_000;

const THREATS = ['MALWARE', 'SOCIAL_ENGINEERING', 'UNWANTED_SOFTWARE'] as const;

type Answer = { readonly threats: readonly string[]; readonly expiresAt: string | null };

export interface WebRiskOptions {
  /** The key of the web-risk service. Null if nothing is looked up. */
  readonly apiKey: string | null;
  readonly baseUrl?: string;
  readonly clock: Clock;
  readonly deadlineMs?: number;
}

/** Asks Google Web Risk (`uris:search`): host names only, one call each. */
export function createWebRisk({
  apiKey,
  baseUrl = BASE_URL,
  clock,
  deadlineMs = DEADLINE_MS,
}: WebRiskOptions): WebRisk {
  if (apiKey === null) return { configured: false, lookUpHosts: async () => ({}) };
  const cache = new Map<string, { readonly answer: Answer; holds(): boolean }>();

  const remember = (host: string, answer: Answer) => {
    const expires = answer.expiresAt === null ? Number.NaN : Date.parse(answer.expiresAt);
    const since = performance.now();
    const holds = () =>
      Number.isNaN(expires) ? performance.now() - since < CLEAN_MS : clock() < expires;
    cache.set(host, { answer, holds });
    const oldest = cache.size > MAX_CACHED ? cache.keys().next().value : undefined;
    if (oldest !== undefined) cache.delete(oldest);
  };
  const lookUpHost = async (host: string, signal: AbortSignal): Promise<Answer | null> => {
    const cached = cache.get(host);
    if (cached?.holds()) return cached.answer;
    const answer = await search(baseUrl, apiKey, host, signal);
    if (answer) remember(host, answer);
    return answer;
  };

  return {
    configured: true,
    async lookUpHosts(hosts) {
      const signal = AbortSignal.timeout(deadlineMs);
      const queue = [...new Set(hosts)].slice(0, MAX_HOSTS);
      const found = new Map<string, Answer | null>();
      const work = async () => {
        for (let host = queue.shift(); host !== undefined; host = queue.shift())
          found.set(host, await lookUpHost(host, signal));
      };
      await Promise.all(Array.from({ length: MAX_IN_FLIGHT }, work));
      return Object.fromEntries(found);
    },
  };
}

/** Returns the answer about a host, or null if there is no response, or none that we understand. */
async function search(
  baseUrl: string,
  apiKey: string,
  host: string,
  signal: AbortSignal,
): Promise<Answer | null> {
  const query = new URLSearchParams([
    ...THREATS.map((type): [string, string] => ['threatTypes', type]),
    ['uri', `https://${host}/`],
  ]);
  try {
    // The key is in a header, because URLs end up in logs along the way.
    const response = await fetch(`${baseUrl}/v1/uris:search?${query}`, {
      headers: { 'x-goog-api-key': apiKey },
      redirect: 'error',
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      return null;
    }
    return toAnswer(await response.json());
  } catch {
    return null;
  }
}

/** Reads the body of a response: `{}` means that the host is clean. */
function toAnswer(body: unknown): Answer | null {
  if (typeof body !== 'object' || body === null) return null;
  if (!('threat' in body)) return { threats: [], expiresAt: null };
  const { threat } = body;
  if (typeof threat !== 'object' || threat === null || !('threatTypes' in threat)) return null;
  const types: readonly unknown[] = Array.isArray(threat.threatTypes) ? threat.threatTypes : [];
  const threats = THREATS.filter((type) => types.includes(type));
  const expires = 'expireTime' in threat ? threat.expireTime : null;
  const expiresAt = typeof expires === 'string' ? toDateTime(Date.parse(expires)) : null;
  return { threats, expiresAt };
}
