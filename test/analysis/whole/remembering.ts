/**
 * Remembers results by what they depend on, so that equal emails are analysed, and equal files fetched, only
 * once.
 */

import type { Case } from './case.ts';
import type { Analysis, Analyzer } from './environment.ts';
import type { Situation } from './publish.ts';

/** Numbers for keys and functions, which JSON leaves out, by their identity. */
const numbers = new WeakMap<object, number>();
let last = 0;

function numberOf(one: object): string {
  const number = numbers.get(one) ?? ++last;
  numbers.set(one, number);
  return `#${number}`;
}

const isPlain = (value: object) =>
  Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;

const nameOf = (value: unknown): string =>
  JSON.stringify(value, (_, one) => {
    if (one instanceof Uint8Array) return Buffer.from(one).toString('latin1');
    return Object(one) !== one || isPlain(one) ? one : numberOf(one);
  });

/**
 * Returns a function that asks once for each `cause`, which contains everything that the answer depends on.
 */
export function remembering<Answer>() {
  const known = new Map<string, Promise<Answer>>();
  return (cause: unknown, ask: () => Promise<Answer>): Promise<Answer> => {
    const name = nameOf(cause);
    const answer = known.get(name) ?? ask();
    known.set(name, answer);
    return answer;
  };
}

/**
 * Returns an analyzer that analyses equal emails once. Fixes that are followed in several ways, or in several
 * emails, often lead to the same email.
 */
export function analyzingOnce(environment: Analyzer): Analyzer {
  const once = remembering<Analysis>();
  return {
    analyze({ about: _, states: __, ...situation }: Situation & Partial<Case>) {
      return once(situation, () => environment.analyze(situation));
    },
  };
}
