/** Declares the port through which SPF is evaluated (RFC 7208 §4). */

import type { SpfResult } from '../domain/report/authentication.ts';
import type { Resolver } from './dns.ts';

/** The sender for whom a record is evaluated. */
export interface SpfSender {
  readonly ip: string;
  readonly helo: string;
  readonly localPart: string;
  /** The domain of MAIL FROM, or the HELO name for a null sender. */
  readonly domain: string;
}

export interface SpfVerdict {
  readonly result: SpfResult;
  /** The limit that made the result a permerror, in our own words; null if none did. */
  readonly error: string | null;
  /** Number of terms that required a lookup (RFC 7208 §4.6.4). */
  readonly lookups: number;
}

/**
 * Evaluates `check_host` (RFC 7208 §4). All of SPF goes through this one engine, which asks for names in
 * lower case.
 */
export type CheckHost = (sender: SpfSender, ask: Resolver['ask']) => Promise<SpfVerdict>;
