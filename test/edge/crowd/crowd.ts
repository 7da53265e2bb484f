/**
 * Defines a crowd: many attackers at once, what they cost, and how honest clients must fare; with
 * what attackers share: connections, pauses and addresses.
 */

import type { SenderKey } from '../../environment/sender.ts';
import { type SmtpClient, smtpClient } from '../../support/mail/smtp-client.ts';
import { type Row, seconds } from '../row.ts';

/** Share of the full numbers with which the crowds are played: smaller in `npm test`. The service's own limits
 * shrink with it. */
export const SCALE = seconds === undefined ? 0.2 : 1;

export const scaled = (count: number) => Math.ceil(count * SCALE);

/** Number of files that the service may have open where the system allows few. */
export const FILES = seconds === undefined ? 1024 : 2048;

export interface CreatedTest {
  readonly test_id: string;
  readonly address: string;
  readonly read_token: string;
}

/** The addresses and key of the service that an attacker knows. */
export interface Place {
  readonly http: string;
  readonly port: number;
  readonly key: SenderKey;
}

/** An attacker, with its functions for sending, counting and waiting. */
export interface Attacker extends Place {
  /** Number of the attacker, counted from 0. Attackers that otherwise do the same differ by it. */
  readonly n: number;
  isOver(): boolean;
  /** Resolves when the attack is over, or after this many milliseconds. */
  rest(ms?: number): Promise<unknown>;
  /** Counts something under a name. */
  count(name: string, by?: number): void;
  /** Opens a connection whose client is `ip`, and sends its EHLO. It is closed when the step ends. */
  from(ip: string): Promise<SmtpClient>;
  create(): Promise<CreatedTest>;
  call(path: string, init?: RequestInit): Promise<Response>;
}

/** The attack itself: this many connections at once, each starting again when its step is over. */
interface Input {
  readonly connections: number;
  step(attacker: Attacker): Promise<void>;
  /** Domains whose DNS does not answer in the meantime. */
  readonly silent?: readonly string[];
  readonly delayMs?: number;
  /** How long the attackers are active before the first honest client, in milliseconds. */
  readonly leadMs?: number;
  /** The name of a count that must be reached before the first honest client comes. */
  readonly height?: string;
}

/** The limits of what the attack may cost. Times count only in the long form, on a machine of its own. */
interface Budget {
  /** Times of honest API calls in milliseconds: the 99th percentile, and the longest. */
  readonly p99Ms?: number;
  readonly worstMs?: number;
  /** Time from the end of the attack until everyone is served again, in milliseconds. */
  readonly recoveryMs?: number;
  /** Time of an honest email from the connection to the reply, in milliseconds. */
  readonly mailMs?: number;
  /** Longest pause of the service's event loop, in milliseconds. */
  readonly pauseMs?: number;
  /** Additional memory of the service's process. A young process grows on its own. */
  readonly mib?: number;
  /**
   * DNS queries below one name. With `distinct`, repeated ones do not count, because a resolver in front has
   * the answer.
   */
  readonly queries?: { readonly under: string; readonly most: number; readonly distinct?: boolean };
}

interface Expected {
  /** Share of honest clients that are served at the first attempt. All must be served within a minute after it. */
  readonly served: number;
  /** Another reply code that an honest email may get instead of being accepted. */
  readonly orElse?: number;
  /** True if honest reports must be the same as for undisturbed emails. */
  readonly reportsAsEver?: true;
  /** Counts of the attackers, each with its smallest and largest allowed value. */
  readonly counts?: Readonly<Record<string, readonly [least: number, most: number]>>;
  /** Largest allowed counts per minute. A minute that has just begun counts. */
  readonly perMinute?: Readonly<Record<string, number>>;
}

export interface Crowd extends Omit<Row<Input, Budget, Expected>, 'budget'> {
  readonly budget?: Budget;
  /**
   * The kind of service: with free reports, one that sells reports, or one with production's budget for
   * creations and few open files.
   */
  readonly service?: 'free' | 'sells' | 'tight';
  /** Clients that are served during the attack. Default: senders of emails. */
  readonly honest?: 'senders' | 'visitors' | 'nobody';
  /** The text of honest emails. */
  readonly text?: string;
  /**
   * Sizes in bytes. For each size, honest senders of such emails run side by side, each in a network of its
   * own.
   */
  readonly sizes?: readonly number[];
}

export const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Longest wait of an attacker for a reply, in milliseconds. */
const PATIENCE_MS = 300_000;

export async function connectFrom(port: number, ip: string): Promise<SmtpClient> {
  const client = await smtpClient(port, true, PATIENCE_MS);
  await client.sendAll(`XCLIENT ADDR=${ip.includes(':') ? `IPV6:${ip}` : ip}`, 'EHLO a.example');
  return client;
}

/** Does something every so many milliseconds, until the attack is over or the connection is closed. */
export async function drip(
  { isOver, rest }: Attacker,
  client: SmtpClient,
  everyMs: number,
  say: () => unknown,
): Promise<void> {
  let isGone = false;
  void client.closed.then(() => {
    isGone = true;
  });
  while (!isGone && !isOver()) {
    await say();
    await rest(everyMs);
  }
}

/** Returns an address in one of this many networks, each a provider's. */
export const inNetwork = (n: number, networks: number): string =>
  n % 2 === 0
    ? `10.${n % networks}.${(n >> 8) & 7}.${n & 255}`
    : `2001:${(n % networks).toString(16)}:${n.toString(16)}::1`;
