import { type CorpusItem, readItem } from '../corpus/read-corpus.ts';

/** What the issue asks of marketing mail. */
const MIN_SHARE = 0.95;

/** Senders who deceive are judged by other means; the class of their mail is nobody's matter. */
const DECEIT = ['phish', 'spam'];

/** Mail that is never asked for one-click unsubscribing. */
const EXEMPT = ['discussion_list', 'transactional', 'automatic', 'personal'];

const judge = (item: CorpusItem) => {
  const { class: found, evidence } = readItem(item).headers.classification;
  return { ...item, found, evidence };
};

const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);

/** How well the class of the labelled mails is known: well enough, or not. */
export function judgeClasses(items: readonly CorpusItem[], print: (line: string) => void): boolean {
  const all = items.map(judge);
  const sure = all.filter((one) => !one.unsure && !DECEIT.includes(one.class));
  const labelled = sure.filter((one) => one.class === 'marketing');
  const named = sure.filter((one) => one.found === 'marketing');
  const right = named.filter((one) => one.class === 'marketing').length;
  const precision = share(right, named.length);
  const recall = share(right, labelled.length);
  // Of these no check may ask for one-click unsubscribing.
  const asked = all.filter((one) => EXEMPT.includes(one.class) && one.found === 'marketing');
  const hard = asked.filter((one) => !one.unsure);

  for (const [label, items] of Map.groupBy(all, (one) => one.class)) {
    const counts = Map.groupBy(items, ({ found }) => found);
    const found = [...counts].map(([name, some]) => `${name} ${some.length}`).join(', ');
    print(`${label} (${items.length}): ${found}`);
  }
  for (const one of sure.filter((item) => item.found !== item.class))
    print(`  ${one.class} as ${one.found}: ${one.id}: ${one.evidence.slice(0, 4).join('; ')}`);
  print(`marketing: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`);
  print(`exempt mails that would be asked for one-click: ${hard.length}`);
  return precision >= MIN_SHARE && recall >= MIN_SHARE && hard.length === 0;
}
