/** Measures how well the classes of emails are recognized. */

import { type CorpusItem, readItem } from '../corpus/read-corpus.ts';

/**
 * Smallest share of the emails classed as marketing that are marketing, and of the marketing emails that are
 * classed so.
 */
const MIN_SHARE = 0.95;

/** Senders who deceive are judged by other means, so the class of their email does not matter. */
const DECEIT = ['phish', 'spam'];

/** Classes of email that are never asked for one-click unsubscribe. */
const EXEMPT = ['discussion_list', 'transactional', 'automatic', 'personal'];

const judge = (item: CorpusItem) => {
  const { classification, bulk } = readItem(item).headers;
  return { ...item, found: classification.class, evidence: classification.evidence, bulk };
};

type Judged = ReturnType<typeof judge>;

const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);

/** Returns precision and recall of one class. */
function measure(all: readonly Judged[], name: string) {
  const labelled = all.filter((one) => one.class === name);
  const named = all.filter(({ found }) => found === name);
  const right = named.filter((one) => one.class === name).length;
  return { precision: share(right, named.length), recall: share(right, labelled.length) };
}

/** Returns whether the classes of the labelled emails are recognized well enough. */
export function judgeClasses(items: readonly CorpusItem[], print: (line: string) => void): boolean {
  const all = items.map(judge);
  const sure = all.filter((one) => !one.unsure && !DECEIT.includes(one.class));
  const isAsked = ({ bulk }: Judged) => bulk.isBulk;
  // No check may ask senders of the exempt classes for one-click unsubscribe.
  const wronglyAsked = sure.filter((one) => EXEMPT.includes(one.class) && isAsked(one));

  for (const [label, items] of Map.groupBy(all, (one) => one.class)) {
    const counts = Map.groupBy(items, ({ found }) => found);
    const found = [...counts].map(([name, some]) => `${name} ${some.length}`).join(', ');
    print(`${label} (${items.length}): ${found}`);
  }
  for (const one of sure.filter((item) => item.found !== item.class))
    print(`  ${one.class} as ${one.found}: ${one.id}: ${one.evidence.slice(0, 4).join('; ')}`);
  for (const name of ['marketing', ...EXEMPT]) {
    const { precision, recall } = measure(sure, name);
    print(`${name}: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`);
  }
  const marketing = sure.filter((one) => one.class === 'marketing');
  const maybe = marketing.filter(({ bulk }) => bulk.mayBe).length;
  print(
    `marketing that is asked for one-click: ${marketing.filter(isAsked).length} of ${marketing.length}, to which it is suggested: ${maybe}`,
  );
  print(`exempt emails that are asked for one-click: ${wronglyAsked.length}`);
  const { precision, recall } = measure(sure, 'marketing');
  return precision >= MIN_SHARE && recall >= MIN_SHARE && wronglyAsked.length === 0;
}
