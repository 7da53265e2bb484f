import type { SenderKey } from '../../environment/sender.ts';
import { type SmtpClient, smtpClient } from '../../support/mail/smtp-client.ts';
import { type Row, seconds } from '../row.ts';

/** A share of the full numbers; the service's own limits shrink with them. */
export const SCALE = seconds === undefined ? 0.2 : 1;

export const scaled = (count: number) => Math.ceil(count * SCALE);

/** That the service may have open where the system allows few. */
export const FILES = seconds === undefined ? 1024 : 2048;

export interface CreatedTest {
  readonly test_id: string;
  readonly address: string;
  readonly read_token: string;
}

/** Where the service is, as an attacker knows it. */
export interface Place {
  readonly http: string;
  readonly port: number;
  readonly key: SenderKey;
}

/** One of the attackers, and what it does. */
export interface Attacker extends Place {
  /** From 0; those that do nothing else alike differ by it. */
  readonly n: number;
  isOver(): boolean;
  /** Resolves when the attack is over, or after so long. */
  rest(ms?: number): Promise<unknown>;
  /** Counts something by its name. */
  count(name: string, by?: number): void;
  /** A connection whose client is `ip`, past its EHLO. It is gone when the step ends. */
  from(ip: string): Promise<SmtpClient>;
  create(): Promise<CreatedTest>;
  call(path: string, init?: RequestInit): Promise<Response>;
}

/** What is sent: so many at once, each beginning again when its step is over. */
interface Input {
  readonly connections: number;
  step(attacker: Attacker): Promise<void>;
  /** What the DNS does meanwhile. */
  readonly silent?: readonly string[];
  readonly delayMs?: number;
  /** Attackers that are there before the first honest one, in milliseconds. */
  readonly leadMs?: number;
  /** What they have counted before the first honest one comes. */
  readonly height?: string;
}

/** What the attack may cost. Times count in the long form, on a machine of its own. */
interface Budget {
  /** Of honest calls of the API. */
  readonly p99Ms?: number;
  readonly worstMs?: number;
  /** From the end of the attack until all are served again. */
  readonly recoveryMs?: number;
  /** Of an honest mail, from the connection to the reply. */
  readonly mailMs?: number;
  /** Of the longest pause of the service's event loop. */
  readonly pauseMs?: number;
  /** That the service's process takes more than before; a young one grows by itself. */
  readonly mib?: number;
  /** Below one name; `distinct`: a resolver in front has the answer to what is asked again. */
  readonly queries?: { readonly under: string; readonly most: number; readonly distinct?: boolean };
}

interface Expected {
  /** Of honest ones, the share that is served at the first try; all are within a minute after. */
  readonly served: number;
  /** What else an honest mail may be answered. */
  readonly orElse?: number;
  /** Their reports are those of undisturbed mails. */
  readonly reportsAsEver?: true;
  /** Of what the attackers counted: least and most. */
  readonly counts?: Readonly<Record<string, readonly [least: number, most: number]>>;
  /** At most so many of these in each minute, of which one may have just begun. */
  readonly perMinute?: Readonly<Record<string, number>>;
}

export interface Crowd extends Omit<Row<Input, Budget, Expected>, 'budget'> {
  readonly budget?: Budget;
  /** With free reports; one that sells; or with production's budget for creations and few open files. */
  readonly service?: 'free' | 'sells' | 'tight';
  /** Who is served beside the attack: by default, senders of mails. */
  readonly honest?: 'senders' | 'visitors' | 'nobody';
  /** The text of honest mails. */
  readonly text?: string;
  /** In bytes: one honest sender of such emails for each, side by side, and each in a network of its own. */
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

/** Until the attack is over or the connection is ended: something each so many milliseconds. */
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

/** An address in one of so many networks, each a provider's. */
export const inNetwork = (n: number, networks: number): string =>
  n % 2 === 0
    ? `10.${n % networks}.${(n >> 8) & 7}.${n & 255}`
    : `2001:${(n % networks).toString(16)}:${n.toString(16)}::1`;
