import { known, type LookupResult, unknown } from '../analysis/facts.ts';
import type { DnsAnswer } from '../ports/dns.ts';

/** A line of `partial_errors`. Names of DNS records are public; the resolver's address is not in it. */
export const dnsError = (type: string, name: string, error: string): string =>
  `dns: ${type} ${name}: ${error}`;

/** The records of an answer; absent names and records are an empty list, a failure is unknown. */
export const recordsOf = <R>(
  type: string,
  name: string,
  answer: DnsAnswer<R>,
): LookupResult<readonly R[]> =>
  answer.status === 'failed'
    ? unknown(dnsError(type, name, answer.error))
    : known(answer.status === 'found' ? answer.records : []);

/** Whether a name of the envelope can be looked up: no address, no literal, more than one label. */
export const isDomainName = (name: string): boolean =>
  name.includes('.') && /^[a-z0-9._-]+$/i.test(name) && !/^[\d.]+$/.test(name);

/** What comes within `milliseconds`, else the fallback; also when it breaks. */
export async function orElse<T>(milliseconds: number, look: Promise<T>, fallback: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(fallback), milliseconds);
  });
  try {
    return await Promise.race([look, late]);
  } catch {
    // An error's own words could be the mail's.
    return fallback;
  } finally {
    clearTimeout(timer);
  }
}

/** What is known after `milliseconds` at the latest. */
export const within = <T>(
  what: string,
  milliseconds: number,
  look: Promise<LookupResult<T>>,
): Promise<LookupResult<T>> => orElse(milliseconds, look, unknown(`${what}: no answer in time`));
