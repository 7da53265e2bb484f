/** Declares the lines of the doctor's output (what was examined, what was found, what to do), and makes them. */

/** A line of the doctor's output. */
export interface Diagnosis {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly check: string;
  readonly detail: string;
  /** The action to take, in the imperative. Absent if all is well. */
  readonly advice?: string;
}

/** Returns functions that create the possible results of one examination. */
export const examined = (check: string) => ({
  ok: (detail: string): Diagnosis => ({ level: 'ok', check, detail }),
  warn: (detail: string, advice: string): Diagnosis => ({ level: 'warn', check, detail, advice }),
  fail: (detail: string, advice: string): Diagnosis => ({ level: 'fail', check, detail, advice }),
});
