/** Defines the form of a suite of conformance cases. */

/** A case of a suite. `run` resolves to null if it passes, otherwise to the actual result. */
export interface Case {
  readonly name: string;
  readonly run: () => Promise<string | null>;
}

/** Cases of one origin, run through our own functions with the DNS of the suite. */
export interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
  /** Cases that do not pass, and why that is correct or acceptable. All others must pass. */
  readonly excepted: Readonly<Record<string, string>>;
}

/** Returns the text of a case with another result. */
export const differs = (got: unknown, allowed: readonly unknown[]): string | null =>
  allowed.includes(got) ? null : `${String(got)}, not ${allowed.join(' or ')}`;
