import { formatId } from '../format.ts';
import rules from './fraud-rules.json' with { type: 'json' };

/** What filters look for in fraud: a mail reads like it when it holds one phrase of every group. */
interface Rule {
  /** Says enough by itself; other rules ask for an independent sign of imitation. */
  readonly alone?: boolean;
  /** What such a mail is about, for readers. */
  readonly reads: string;
  /** Our own words for what an honest mail says instead. */
  readonly example?: string;
  /** Whose published rules it follows. */
  readonly source: string;
  readonly all: readonly string[];
}

const FRAUD_RULES: Readonly<Record<string, Rule>> = rules;

/** What rules are about, for readers. */
export const readsLike = (ids: readonly string[]): string =>
  ids.map((id) => FRAUD_RULES[id]?.reads ?? formatId(id)).join('; ');

/** For sentences on a text: what it reads like, and our own words for it. */
export const wordingValues = (ids: readonly string[]) => ({
  wording: readsLike(ids),
  example: FRAUD_RULES[ids[0] ?? '']?.example ?? '',
});

const COMPILED = Object.entries(FRAUD_RULES).map(([id, { alone = false, all }]) => ({
  id,
  alone,
  all: all.map((one) => new RegExp(one, 'u')),
}));

/** Such letters are short: how much of a text is read, in characters. */
const MAX_TEXT = 20_000;

/** The rules that a text fits, which is plain and on one line, by id: `alone`, and those that need more. */
export function fraudRules(plain: string): readonly [alone: string[], wording: string[]] {
  const text = plain.slice(0, MAX_TEXT);
  const found = COMPILED.filter(({ all }) => all.every((one) => one.test(text)));
  const idsOf = (wanted: boolean) =>
    found.filter(({ alone }) => alone === wanted).map(({ id }) => id);
  return [idsOf(true), idsOf(false)];
}
