import type { Stage } from './stage.ts';

/** What an operator does, in a sentence that docs/operations.md has too, and how; gives what was seen. */
export type Step = readonly [does: string, run: (stage: Stage) => Promise<string | undefined>];

/** Something that is done, or happens, to a deployment that is in use. */
export interface Rehearsal {
  readonly steps: readonly Step[];
  /** Settings that it needs; `folder` is its own. Nothing: this machine cannot do it, and why. */
  readonly prepare?: (folder: string) => Promise<Readonly<Record<string, string>> | string>;
  /** Undoes what `prepare` did. */
  readonly end?: () => void;
}

export interface RehearsalOptions {
  /** Node and replica alone, where it is done to each: for CI. */
  readonly brief: boolean;
  /** The main module of another checkout, from which is upgraded to this one. */
  readonly from: string | undefined;
}

/** Makes one to be run once. */
export type Rehearse = (options: RehearsalOptions) => Rehearsal;
