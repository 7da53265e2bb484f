/**
 * Classifies an email, for example as a newsletter or a receipt, from the signs in its header and body, and
 * decides whether the requirements for bulk email apply to it.
 */

import type { Classification } from '../../domain/report/message.ts';
import { type BodyShape, shapeSigns, withoutAskedFor, wordSigns } from './body-signs.ts';
import type { ClassSign, SignedClass } from './sign.ts';
import { countTopics } from './topics.ts';

/** Minimum total weight of the signs for a class, and the minimum lead of that class over the next one. */
const ENOUGH = 3;
const LEAD = 1;

/**
 * Minimum weight of which the share of a class is calculated, so that a few weak signs give no certainty. An
 * email must also reach this weight to be judged as bulk.
 */
const WHOLE = ENOUGH + 2;

/** Weight from which signs of a list program or an auto-responder outweigh the topic of the text. */
const DECISIVE = 5;

/**
 * Weight from which signs other than words show a letter, whatever it is about. The address of a person and a
 * body without pictures reach it together.
 */
const CLEAR_LETTER = ENOUGH + 1;

/** Minimum share of the total weight from which an email is judged as bulk. */
const SURE = 0.65;

type Sums = readonly (readonly [SignedClass, number])[];

/** Adds up the weights of the signs for each class, and sorts the classes by weight, the highest first. */
function weigh(signs: readonly ClassSign[]): Sums {
  const sums = new Map<SignedClass, number>();
  for (const { of, weight } of signs) sums.set(of, (sums.get(of) ?? 0) + weight);
  return [...sums].sort(([, a], [, b]) => b - a);
}

const roundShare = (share: number): number => Math.round(share * 100) / 100;

/**
 * Returns whether a header field, the layout or the sender shows a class. Words are not enough, and neither
 * are signs that letters have too.
 */
const isShown = (of: SignedClass, signs: readonly ClassSign[]): boolean =>
  signs.some((sign) => sign.of === of && !sign.isWord && !sign.isOfLetters);

const sumOf = (signs: readonly ClassSign[]): number =>
  signs.reduce((sum, { weight }) => sum + weight, 0);

/**
 * Returns the classes with their weights, the highest first. Marketing is left out if only words suggest it
 * and other signs show a letter, because letters are about offers too.
 */
function rank(signs: readonly ClassSign[]): Sums {
  const letter = sumOf(signs.filter(({ of, isWord }) => of === 'personal' && !isWord));
  const isMarketing = letter < CLEAR_LETTER || isShown('marketing', signs);
  return weigh(signs).filter(([of]) => of !== 'marketing' || isMarketing);
}

interface Named {
  readonly name: SignedClass | null;
  readonly sum: number;
  /** The share of the class in the total weight of all signs, from 0 to 1. */
  readonly share: number;
}

const NOBODY: Named = { name: null, sum: 0, share: 0 };

/**
 * Returns the class that the signs show. Its name is null if too few signs or only words show one, or if two
 * classes are equally likely.
 */
function nameClass(signs: readonly ClassSign[]): Named {
  const decisive = weigh(signs.filter(({ of, isWord }) => of !== 'marketing' && !isWord)).find(
    ([of, sum]) => (of === 'discussion_list' || of === 'automatic') && sum >= DECISIVE,
  );
  const [first, second] = decisive ? [decisive] : rank(signs);
  if (first === undefined || !isShown(first[0], signs)) return NOBODY;
  const [name, sum] = first;
  if (sum < ENOUGH || sum - (second?.[1] ?? 0) < LEAD) return NOBODY;
  return { name, sum, share: sum / Math.max(sumOf(signs), WHOLE) };
}

/**
 * Says whether receivers would treat an email as bulk, from which recipients must be able to unsubscribe.
 */
export type BulkJudgement = 'bulk' | 'maybe' | 'no';

/** The kind of an email, and whether the requirements for bulk email apply to it. */
export interface MailKind {
  readonly classification: Classification;
  readonly bulk: BulkJudgement;
  /** True if a person wrote the email, either directly to others or on a mailing list. */
  readonly isLetter: boolean;
  /** True if the email passes on what people or programs wrote, as a mailing list or a tracker does. */
  readonly passesOn: boolean;
}

/**
 * Judges whether an email is bulk, without the features that receivers require of bulk email. A sender must
 * not be judged more strictly for adding them.
 */
function judgeBulk(signs: readonly ClassSign[], shown: Named): BulkJudgement {
  const { name, sum, share } = nameClass(signs);
  if (name === 'marketing' && sum >= WHOLE && share >= SURE) return 'bulk';
  return shown.name === 'marketing' || name === 'marketing' ? 'maybe' : 'no';
}

/**
 * Returns the kind of an email, as a receiver would sort it. The class is `unknown` if too few signs suggest
 * one, if two are equally likely, or if only words suggest it.
 */
export function classify(
  headerSigns: readonly ClassSign[],
  subject: string,
  text: string,
  shape: BodyShape,
): MailKind {
  const words = wordSigns(countTopics(subject), countTopics(text));
  const all = [...headerSigns, ...words, ...shapeSigns(shape)];
  const unasked = [
    ...headerSigns.filter(({ isAskedFor }) => !isAskedFor),
    ...words,
    ...shapeSigns(withoutAskedFor(shape)),
  ];
  const shown = nameClass(all);
  const evidence = all
    .filter(({ of }) => shown.name === null || of === shown.name)
    .sort((a, b) => b.weight - a.weight)
    .map((sign) => sign.evidence);
  return {
    classification: {
      class: shown.name ?? 'unknown',
      confidence: shown.name === null ? 0 : roundShare(Math.min(0.99, shown.share)),
      evidence: [...new Set(evidence)],
    },
    bulk: judgeBulk(
      unasked.filter(({ isToChange }) => !isToChange),
      shown,
    ),
    isLetter: isLetterBy(unasked),
    passesOn: shown.name === 'discussion_list' || all.some(({ passesOn }) => passesOn),
  };
}

/**
 * Returns whether an email is a letter. `discussion_list` and `personal` count as one class here, because
 * adding a header field that lists are asked to have moves weight from one to the other.
 */
function isLetterBy(signs: readonly ClassSign[]): boolean {
  const asOne = signs.map((sign) =>
    sign.of === 'discussion_list' ? { ...sign, of: 'personal' as const } : sign,
  );
  return nameClass(asOne).name === 'personal';
}
