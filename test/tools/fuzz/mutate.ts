import type { Prng } from '../../support/prng/prng.ts';
import { WORDS } from './words.ts';

/** A mutant stays below this, in characters: most faults need no more, and rate is what finds them. */
const MAX_LENGTH = 200_000;

const MAX_STEPS = 8;

type Mutation = (text: string, random: Prng, other: string) => string;

const slice = (text: string, random: Prng) => {
  const start = random.below(text.length + 1);
  return [
    start,
    Math.min(text.length, start + 1 + random.below(random.pick([4, 40, 4000]))),
  ] as const;
};

const put = (text: string, at: number, piece: string, until = at) =>
  text.slice(0, at) + piece + text.slice(until);

const lineAt = (text: string, random: Prng) => {
  const start = text.lastIndexOf('\n', random.below(text.length + 1)) + 1;
  const end = text.indexOf('\n', start);
  return [start, end < 0 ? text.length : end + 1] as const;
};

const mutations: readonly [Mutation, ...Mutation[]] = [
  // Another byte.
  (text, random) => {
    const at = random.below(text.length + 1);
    return put(text, at, String.fromCharCode(random.below(256)), at + 1);
  },
  // One bit of one byte.
  (text, random) => {
    const at = random.below(text.length);
    return put(
      text,
      at,
      String.fromCharCode((text.charCodeAt(at) ^ (1 << random.below(8))) & 255),
      at + 1,
    );
  },
  // A word put in, or in place of something.
  (text, random) => put(text, random.below(text.length + 1), random.pick(WORDS)),
  (text, random) => {
    const [start, end] = slice(text, random);
    return put(text, start, random.pick(WORDS), end);
  },
  // Something gone, repeated, moved.
  (text, random) => {
    const [start, end] = slice(text, random);
    return put(text, start, '', end);
  },
  (text, random) => {
    const [start, end] = slice(text, random);
    return put(text, start, text.slice(start, end).repeat(random.pick([2, 3, 30, 300])));
  },
  (text, random) => {
    const [start, end] = slice(text, random);
    return put(text, random.below(text.length + 1), text.slice(start, end));
  },
  // Lines: gone, twice, elsewhere, folded.
  (text, random) => {
    const [start, end] = lineAt(text, random);
    return put(text, start, '', end);
  },
  (text, random) => {
    const [start, end] = lineAt(text, random);
    return put(text, start, text.slice(start, end).repeat(random.pick([1, 2, 20, 200])));
  },
  (text, random) => {
    const [start, end] = lineAt(text, random);
    const [to] = lineAt(text, random);
    return put(text, to, text.slice(start, end));
  },
  (text, random) => put(text, random.below(text.length + 1), '\r\n '),
  // The rest gone; the head of one mail on the body of another.
  (text, random) => text.slice(0, random.below(text.length + 1)),
  (text, random, other) =>
    text.slice(0, random.below(text.length + 1)) + other.slice(random.below(other.length + 1)),
  // A number that is larger, or none.
  (text, random) => text.replace(/\d+/, () => random.pick(['0', '-1', '99999999999', '1e400', ''])),
  // Other line ends.
  (text, random) => text.replaceAll('\r\n', random.pick(['\n', '\r', '\r\r\n', '\r\n\r\n'])),
];

/** A mail that is one no more: some steps away from `text`, with pieces of `other`. */
export function mutate(text: string, other: string, random: Prng): string {
  let mutant = text;
  for (let steps = 1 + random.below(MAX_STEPS); steps > 0; steps -= 1) {
    const next = random.pick(mutations)(mutant, random, other);
    mutant = next.slice(0, MAX_LENGTH);
  }
  return mutant;
}
