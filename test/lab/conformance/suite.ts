/** One case of a suite. `run` resolves to null when it holds, else to what came instead. */
export interface Case {
  readonly name: string;
  readonly run: () => Promise<string | null>;
}

/** Cases of one origin, held through our own functions with the DNS from the suite. */
export interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
  /** Cases that do not hold, and why that is right or borne. Every other one has to hold. */
  readonly excepted: Readonly<Record<string, string>>;
}

/** What a case says when it got something else. */
export const differs = (got: unknown, allowed: readonly unknown[]): string | null =>
  allowed.includes(got) ? null : `${String(got)}, not ${allowed.join(' or ')}`;
