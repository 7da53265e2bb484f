import type { PaymentEvent } from '../../src/domain/payment-events.ts';
import type { Recorded } from '../../src/ports/log.ts';
import type { Prng } from '../support/prng/prng.ts';
import type { Plan } from './client/plan.ts';
import type { Fault as Done, Violation } from './judge/history.ts';
import type { Replica, World } from './world/parts.ts';

/** Ends a fault. */
export type Undo = () => Promise<unknown> | unknown;

/** A point in the work: who has come there, and stands still until it may go on. */
export interface Moment {
  readonly name: string;
  /** Called before anything is begun; resolves when it is there. */
  readonly come: (world: World) => Promise<{ readonly replica: Replica; readonly go: Undo }>;
}

/** Something that can go wrong, as a row of the table. */
export interface Fault {
  readonly name: string;
  readonly kind: Done['kind'];
  /** What it once found. */
  readonly found?: string;
  /** What clients do meanwhile; by default some of everything. */
  readonly plans?: readonly Plan[];
  /** What the wallet can pay for that clients share. */
  readonly reports?: number;
  /** Calls and answers that some client sees while it lasts, each: else it breaks nothing, or too much. */
  readonly shows?: readonly RegExp[];
  /** What must be so besides; gives what is not. */
  readonly holds?: (since: Seen) => readonly string[];
  /** It ends when clients have had so many answers, or none, to what they asked; 6 by default. */
  readonly attempts?: number;
  /** Else it happens in the middle of things: a lie is told, and a clock set, before they begin. */
  readonly at?: Moment;
  /** What `npm test` plays it with: one that once found it. */
  readonly seed?: number;
  /** Takes too long for `npm test`. */
  readonly isLong?: boolean;
  /** Clients do what they do again and again, until it is over. */
  readonly isSteady?: boolean;
  /** The log is another afterwards: then what clients were promised is all that can be judged. */
  readonly isLogReplaced?: boolean;
  /** Breaks something; how that ends. */
  readonly apply: (world: World, random: Prng, at: Circumstances) => Promise<Undo> | Undo;
}

interface Circumstances {
  /** Who has come to the moment; else any replica. */
  readonly victim: Replica;
  readonly load: Load;
}

/** The clients, as somebody sees them who breaks things. */
export interface Load {
  /** Reports that were given for money by now. */
  sold(): number;
  /** Nothing new is begun; resolves when what was begun has ended. */
  pause(): Promise<unknown>;
  resume(): void;
}

/** What was seen since a fault began. */
export interface Seen {
  readonly answers: readonly string[];
  readonly payments: readonly Recorded<PaymentEvent>[];
}

/** Nothing that would have to be undone. */
export const over: Undo = () => undefined;

/** Nothing breaks. */
export const nothing = () => over;

/** A row as the runner sees it. */
export type Row = Pick<Fault, 'name' | 'found' | 'isLong' | 'seed'>;

/** A world in which rows are played. */
export interface Room {
  /** Gives what must not be. Without `plans` clients do what the row says. */
  play(name: string, seed: number, plans?: readonly Plan[]): Promise<readonly Violation[]>;
  stop(): Promise<unknown>;
}
