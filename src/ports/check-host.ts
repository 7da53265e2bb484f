import type { SpfResult } from '../domain/report/authentication.ts';
import type { Resolver } from './dns.ts';

/** Who sends: what a record is evaluated for. */
export interface SpfSender {
  readonly ip: string;
  readonly helo: string;
  readonly localPart: string;
  /** Of MAIL FROM, or of HELO for a null sender. */
  readonly domain: string;
}

export interface SpfVerdict {
  readonly result: SpfResult;
  /** The limit that made it a permerror, in words of ours; null: none did. */
  readonly error: string | null;
  /** Terms that were looked up (RFC 7208 §4.6.4). */
  readonly lookups: number;
}

/** `check_host` of RFC 7208 §4, by the one engine of SPF. It asks for names in lower case. */
export type CheckHost = (sender: SpfSender, ask: Resolver['ask']) => Promise<SpfVerdict>;
