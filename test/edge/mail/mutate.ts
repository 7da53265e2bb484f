/** Mutates emails at random, for fuzzing. */

import fc from 'fast-check';
import { WORDS } from './words.ts';

/** Longest mutant, in characters. Most faults need no more, and a high rate is what finds them. */
const MAX_LENGTH = 200_000;

interface Choice {
  /** Positions in the text, as shares of its length. */
  readonly at: number;
  readonly to: number;
  readonly length: number;
  readonly byte: number;
  readonly word: string;
  readonly times: number;
}

type Change = (text: string, choice: Choice, other: string) => string;

const put = (text: string, at: number, piece: string, until = at) =>
  text.slice(0, at) + piece + text.slice(until);

const place = (text: string, share: number) => Math.floor(share * (text.length + 1));

const lineAt = (text: string, share: number) => {
  const start = text.lastIndexOf('\n', place(text, share)) + 1;
  const end = text.indexOf('\n', start);
  return [start, end < 0 ? text.length : end + 1] as const;
};

/** The next steps are applied to a slice, and to whole lines. */
const slices: readonly ((text: string, at: readonly [number, number], choice: Choice) => string)[] =
  [
    (text, [start, end]) => put(text, start, '', end),
    (text, [start, end], { times }) => put(text, start, text.slice(start, end).repeat(times)),
    (text, [start, end], { to }) => put(text, place(text, to), text.slice(start, end)),
    (text, [start, end], { word }) => put(text, start, word, end),
  ];

const changes: readonly Change[] = [
  ...slices.flatMap((change): Change[] => [
    (text, choice) => change(text, lineAt(text, choice.at), choice),
    (text, choice) => {
      const start = place(text, choice.at);
      return change(text, [start, start + choice.length], choice);
    },
  ]),
  (text, { at, byte }) =>
    put(text, place(text, at), String.fromCharCode(byte), place(text, at) + 1),
  // Flips one bit of one byte.
  (text, { at, byte }) => {
    const start = place(text, at);
    const bit = 1 << (byte & 7);
    return put(text, start, String.fromCharCode((text.charCodeAt(start) ^ bit) & 255), start + 1);
  },
  (text, { at, word }) => put(text, place(text, at), word),
  (text, { at }) => put(text, place(text, at), '\r\n '),
  (text, { at }) => text.slice(0, place(text, at)),
  (text, { at, to }, other) => text.slice(0, place(text, at)) + other.slice(place(other, to)),
  (text) => text.replace(/\d+/, '99999999999'),
  (text, { byte }) => text.replaceAll('\r\n', ['\n', '\r', '\r\r\n', '\r\n\r\n'][byte & 3] ?? ''),
];

const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

/** A random change of an email, which may insert pieces of another one. */
export const mutation = fc
  .record({
    change: fc.constantFrom(...changes),
    at: share,
    to: share,
    length: fc.oneof(fc.nat(4), fc.nat(40), fc.nat(4000)),
    byte: fc.nat(255),
    word: fc.constantFrom(...WORDS),
    times: fc.constantFrom(2, 3, 30, 200),
  })
  .map(
    ({ change, ...choice }) =>
      (text: string, other: string) =>
        change(text, choice, other).slice(0, MAX_LENGTH),
  );
