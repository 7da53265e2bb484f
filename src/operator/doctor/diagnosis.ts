/** One line of the doctor's: what was examined, what was found, what to do. */
export interface Diagnosis {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly check: string;
  readonly detail: string;
  /** In the imperative; absent when all is well. */
  readonly advice?: string;
}

/** What can be found of one thing. */
export const examined = (check: string) => ({
  ok: (detail: string): Diagnosis => ({ level: 'ok', check, detail }),
  warn: (detail: string, advice: string): Diagnosis => ({ level: 'warn', check, detail, advice }),
  fail: (detail: string, advice: string): Diagnosis => ({ level: 'fail', check, detail, advice }),
});
