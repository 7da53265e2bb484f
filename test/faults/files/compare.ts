/**
 * Compares a replica's responses before and after damage to the log's files, and tells which losses an
 * operator has accepted.
 */

import type { Answers } from './a-log.ts';

/** Returns for each test `same`, `frozen`, or what is wrong. */
export const compareAll = (
  before: ReadonlyMap<string, Answers>,
  after: ReadonlyMap<string, Answers>,
): ReadonlyMap<string, string> =>
  new Map([...before].map(([id, one]) => [id, compare(id, one, after.get(id))]));

export const worstOf = (outcomes: readonly string[]) =>
  outcomes.find((one) => one !== 'same' && one !== 'frozen') ??
  (outcomes.includes('frozen') ? 'frozen' : 'same');

export const wrongOf = (compared: ReadonlyMap<string, string>): readonly string[] =>
  [...compared.values()].filter((one) => one !== 'same' && one !== 'frozen');

/**
 * Each response must be the one from before or a 503: never another status, and never 402 for something that
 * was paid.
 */
function compare(id: string, before: Answers, after: Answers | undefined): string {
  const fits = (one: string, other = '') => one === other || other.startsWith('503 ');
  if (!after || !fits(before.status, after.status) || !fits(before.report, after.report))
    return `${id}: ${before.status.slice(0, 90)} / ${before.report.slice(0, 20)} became ${after?.status.slice(0, 90)} / ${after?.report.slice(0, 20)}`;
  return before.status === after.status && before.report === after.report ? 'same' : 'frozen';
}

/**
 * The losses that an operator who continues without both copies of something accepts, and how a response then
 * ends.
 */
const ACCEPTED = [
  [/^older store$/, / 402$/],
  [
    /^(older store|swapped files of (KV_status and TESTS|TESTS and KV_status))$/,
    /404 test_not_found$/,
  ],
  [/^swapped files of (KV_payment_claims and PAYMENTS|PAYMENTS and KV_payment_claims)$/, / 402$/],
] as const;

export const isAccepted = (loss: string, wrong: string) =>
  ACCEPTED.some(([what, end]) => what.test(loss) && end.test(wrong));
