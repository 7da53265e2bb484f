import type { Classification } from '../../domain/report/message.ts';
import { type BodyShape, shapeSigns, withoutAskedFor, wordSigns } from './body-signs.ts';
import type { ClassSign, SignedClass } from './sign.ts';
import { countTopics } from './topics.ts';

/** Signs that must come together before a class is named, and by how much it must lead. */
const ENOUGH = 3;
const LEAD = 1;

/** The least sum that a share is taken of, and that bulk mail needs: few signs are no certainty. */
const WHOLE = ENOUGH + 2;

/** Traces of a list program or of an answering machine outweigh what the text is about. */
const DECISIVE = 5;

/** Below this share of the signs a mail is not asked for what bulk mail needs. */
const SURE = 0.65;

type Sums = readonly (readonly [SignedClass, number])[];

/** The sum of what speaks for each class, the strongest first. */
function weigh(signs: readonly ClassSign[]): Sums {
  const sums = new Map<SignedClass, number>();
  for (const { of, weight } of signs) sums.set(of, (sums.get(of) ?? 0) + weight);
  return [...sums].sort(([, a], [, b]) => b - a);
}

const roundShare = (share: number): number => Math.round(share * 100) / 100;

/** A class that headers, layout or sender show: words alone name none. */
const isShown = (of: SignedClass, signs: readonly ClassSign[]): boolean =>
  signs.some((sign) => sign.of === of && !sign.isWord);

const sumOf = (signs: readonly ClassSign[]): number =>
  signs.reduce((sum, { weight }) => sum + weight, 0);

interface Named {
  readonly name: SignedClass | null;
  readonly sum: number;
  /** Its share of all signs. */
  readonly share: number;
}

const NOBODY: Named = { name: null, sum: 0, share: 0 };

/** The class that the signs name; null: too little speaks for one, or as much for two. */
function nameClass(signs: readonly ClassSign[]): Named {
  const decisive = weigh(signs.filter(({ of, isWord }) => of !== 'marketing' && !isWord)).find(
    ([of, sum]) => (of === 'discussion_list' || of === 'automatic') && sum >= DECISIVE,
  );
  const sums = weigh(signs);
  const [first, second] = decisive ? [decisive] : sums;
  if (first === undefined || !isShown(first[0], signs)) return NOBODY;
  const [name, sum] = first;
  if (sum < ENOUGH || sum - (second?.[1] ?? 0) < LEAD) return NOBODY;
  return { name, sum, share: sum / Math.max(sumOf(signs), WHOLE) };
}

/** Whether receivers take a mail for bulk mail, which its readers must be able to leave. */
export type BulkJudgement = 'bulk' | 'maybe' | 'no';

/** What kind of mail it is, and what follows from that. */
export interface MailKind {
  readonly classification: Classification;
  readonly bulk: BulkJudgement;
  /** What people write to each other, alone or on a list. */
  readonly isLetter: boolean;
}

/**
 * Judged without whatever receivers ask of bulk mail: a sender who adds that must not become
 * someone of whom more is asked.
 */
function judgeBulk(signs: readonly ClassSign[], shown: Named): BulkJudgement {
  const { name, sum, share } = nameClass(signs);
  if (name === 'marketing' && sum >= WHOLE && share >= SURE) return 'bulk';
  return shown.name === 'marketing' || name === 'marketing' ? 'maybe' : 'no';
}

/**
 * What kind of mail it is, as a receiver would sort it. `unknown` when too little speaks for one
 * class, as much for two, or nothing but words.
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
  };
}

/** A header that lists ask for moves weight from one of the two to the other, so they count as one. */
function isLetterBy(signs: readonly ClassSign[]): boolean {
  const asOne = signs.map((sign) =>
    sign.of === 'discussion_list' ? { ...sign, of: 'personal' as const } : sign,
  );
  return nameClass(asOne).name === 'personal';
}
