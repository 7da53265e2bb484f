/**
 * Defines a fault: what breaks, when, for how long, and what clients must see; and the room in
 * which such rows are played.
 */

import type { PaymentEvent } from '../../src/domain/payment-events.ts';
import type { Recorded } from '../../src/ports/log.ts';
import type { Prng } from '../support/prng/prng.ts';
import type { Plan } from './client/plan.ts';
import type { Fault as Done, Violation } from './judge/history.ts';
import type { Replica, World } from './world/parts.ts';

/** Ends a fault, and repairs what it broke. */
export type Undo = () => Promise<unknown> | unknown;

/** A point in the work: a replica has reached it, and pauses until it may continue. */
export interface Moment {
  readonly name: string;
  /** Called before anything starts. Resolves when the point is reached. */
  readonly come: (world: World) => Promise<{ readonly replica: Replica; readonly go: Undo }>;
}

/** Something that can go wrong, as a row of the table. */
export interface Fault {
  readonly name: string;
  readonly kind: Done['kind'];
  /** The defect that it once found. */
  readonly found?: string;
  /** The clients' plans in the meantime. Default: some of everything. */
  readonly plans?: readonly Plan[];
  /** How many reports the clients' shared wallet can pay for. */
  readonly reports?: number;
  /**
   * Calls and responses that some client must see while it lasts, each of them. Otherwise it breaks nothing,
   * or too much.
   */
  readonly shows?: readonly RegExp[];
  /** Further requirements. Returns those that are not met. */
  readonly holds?: (since: Seen) => readonly string[];
  /** Number of requests by clients, with or without a response, after which it ends. Default: 6. */
  readonly attempts?: number;
  /**
   * The moment at which it happens. Default: in the middle of things, but a node lies, and a clock is set,
   * before they start.
   */
  readonly at?: Moment;
  /** The seed that `npm test` uses, because it once found the defect. */
  readonly seed?: number;
  /** True if the fault takes too long for `npm test`. */
  readonly isLong?: boolean;
  /** True if clients repeat what they do until the fault is over. */
  readonly isSteady?: boolean;
  /** True if the log is replaced by another, so that only what clients were promised can be judged. */
  readonly isLogReplaced?: boolean;
  /** Breaks something. Returns how to undo it. */
  readonly apply: (world: World, random: Prng, at: Circumstances) => Promise<Undo> | Undo;
}

interface Circumstances {
  /** The replica that reached the moment. Otherwise any replica. */
  readonly victim: Replica;
  readonly load: Load;
}

/** The clients, as seen by whoever breaks things. */
export interface Load {
  /** Returns the number of reports sold so far. */
  sold(): number;
  /** Starts nothing new. Resolves when everything that was started has ended. */
  pause(): Promise<unknown>;
  resume(): void;
}

/** Everything that was seen since a fault began. */
export interface Seen {
  readonly answers: readonly string[];
  readonly payments: readonly Recorded<PaymentEvent>[];
}

/** Undoes nothing, because the fault leaves nothing to undo. */
export const over: Undo = () => undefined;

/** Breaks nothing. */
export const nothing = () => over;

/** A row as the runner sees it. */
export type Row = Pick<Fault, 'name' | 'found' | 'isLong' | 'seed'>;

/** A world in which rows are played. */
export interface Room {
  /** Returns what must not be. Without `plans`, clients do what the row says. */
  play(name: string, seed: number, plans?: readonly Plan[]): Promise<readonly Violation[]>;
  stop(): Promise<unknown>;
}
