import type { Case } from './case.ts';
import type { Analysis, Analyzer } from './environment.ts';
import type { Situation } from './publish.ts';

/** Keys and functions, which JSON leaves out, by who they are. */
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

/** Asks once for each `cause`: all that the answer follows from. */
export function remembering<Answer>() {
  const known = new Map<string, Promise<Answer>>();
  return (cause: unknown, ask: () => Promise<Answer>): Promise<Answer> => {
    const name = nameOf(cause);
    const answer = known.get(name) ?? ask();
    known.set(name, answer);
    return answer;
  };
}

/** Fixes that are followed in several ways, or in several mails, often come to the same: it is analysed once. */
export function analyzingOnce(environment: Analyzer): Analyzer {
  const once = remembering<Analysis>();
  return {
    analyze({ about: _, states: __, ...situation }: Situation & Partial<Case>) {
      return once(situation, () => environment.analyze(situation));
    },
  };
}
