/** One line of the doctor's: what was examined, what was found, what to do. */
export interface Diagnosis {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly check: string;
  readonly detail: string;
  /** In the imperative; absent when all is well. */
  readonly advice?: string;
}

export const ok = (check: string, detail: string): Diagnosis => ({ level: 'ok', check, detail });

export const bad = (
  level: 'warn' | 'fail',
  check: string,
  detail: string,
  advice: string,
): Diagnosis => ({ level, check, detail, advice });
