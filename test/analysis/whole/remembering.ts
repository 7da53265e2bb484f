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

const nameOf = (situation: Situation): string =>
  JSON.stringify(situation, (_, value) =>
    Object(value) !== value || isPlain(value) ? value : numberOf(value),
  );

/** Fixes that are followed in several ways often come to the same: it is analysed once. */
export function remembering(environment: Analyzer): Analyzer {
  const known = new Map<string, Promise<Analysis>>();
  return {
    analyze(situation) {
      const name = nameOf(situation);
      const analysis = known.get(name) ?? environment.analyze(situation);
      known.set(name, analysis);
      return analysis;
    },
  };
}
