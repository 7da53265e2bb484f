/** Compares scores and classes of emails with the labels of experts. */

import { join } from 'node:path';
import type { ContentFacts, HeaderFacts } from '../../../src/analysis/facts.ts';
import { known } from '../../../src/analysis/lookup-result.ts';
import { makeReport } from '../../../src/analysis/report.ts';
import type { Report } from '../../../src/domain/report/report.ts';
import { startWholeEnvironment } from '../../analysis/whole/environment.ts';
import { facts } from '../../support/mail/facts.ts';
import {
  type CorpusItem,
  corpusDir,
  jsonLines,
  readCorpus,
  readItem,
} from '../corpus/read-corpus.ts';
import { judgeClasses } from './classes.ts';
import { rankCorrelation } from './rank.ts';
import { scenarios } from './scenarios.ts';

const ANALYZED_AT = '2026-11-20T12:00:02.000Z';

const MIN_CORRELATION = 0.9;
const MAX_TEMPLATES_BELOW = 0.02;
const MIN_FRAUD_BELOW = 0.6;
const LETTERS = ['personal', 'discussion_list', 'automatic'];

interface Scenario {
  readonly id: string;
  readonly description: string;
  readonly expected_band: readonly [number, number];
}

const isTemplate = (id: string): boolean => !/^(?:own|si)-/.test(id);

const ONE_CLICK: HeaderFacts['listUnsubscribe'] = {
  present: true,
  faults: [],
  https: true,
  reachable: true,
  mailto: true,
  host: null,
  post: true,
  postFault: null,
};

/** Returns a template as a platform sends it: with a text part, and its own link in the footer. */
const asSent = (facts: ContentFacts): ContentFacts => ({
  ...facts,
  textAlternative: 'both',
  textState: 'ok',
  content: { ...facts.content, unsubscribe_link_found: true },
});

/** Returns the report on a labelled email whose authentication, connection and DNS are in order. */
function reportOf(item: CorpusItem): Report {
  const { id } = item;
  const { headers, content, links, route } = readItem(item);
  // The bodies were not sent to us, so their recipients and dates are nobody's fault.
  const to = { ...headers.to, testAddressFound: true, present: true };
  const date = { ...headers.date, skewSeconds: 0 };
  const listUnsubscribe = isTemplate(id) ? ONE_CLICK : headers.listUnsubscribe;
  return makeReport(
    {
      ...facts(),
      headers: known({ ...headers, to, date, listUnsubscribe }),
      content: known(isTemplate(id) ? asSent(content) : content),
      links: known(links),
      route: known(route),
    },
    ANALYZED_AT,
  );
}

/**
 * Returns the reasons for which receivers refuse a personal email, such as the copy of a bounce that ends
 * within a part.
 */
const causesOf = ({ findings }: Report): readonly string[] =>
  findings
    .filter(({ severity }) => severity === 'fail')
    .map(({ id, detail }) => `${id}: ${detail}`);

/** Returns the score of each scenario as a real email and zone, read as the service reads them. */
async function scoreScenarios() {
  const environment = await startWholeEnvironment();
  const all = [];
  try {
    for (const one of jsonLines<Scenario>(join(corpusDir(), 'scenarios.jsonl'))) {
      const setup = scenarios[one.id];
      if (setup) all.push({ ...one, report: (await environment.analyze(setup)).report });
    }
  } finally {
    await environment.stop();
  }
  return all;
}

const costs = ({ findings }: Report): string =>
  findings
    .filter(({ points = 0 }) => points > 0)
    .map(({ id, points }) => `${id} ${points}`)
    .join(', ');

async function judgeScenarios(print: (line: string) => void): Promise<number> {
  const all = await scoreScenarios();
  let outside = 0;
  for (const {
    id,
    report,
    expected_band: [low, high],
    description,
  } of all) {
    const { score } = report;
    const isIn = score >= low && score <= high;
    outside += isIn ? 0 : 1;
    print(
      `${id} ${String(score).padStart(3)} ${isIn ? '  in' : ' OUT'} ${low}-${high} ${description.slice(0, 60)}: ${costs(report)}`,
    );
  }
  const middle = all.map(({ expected_band: [low, high] }) => (low + high) / 2);
  const correlation = rankCorrelation(
    all.map(({ report }) => report.score),
    middle,
  );
  print(
    `scenarios outside their bands: ${outside} of ${all.length}; rank correlation ${correlation.toFixed(3)}`,
  );
  return outside + (correlation >= MIN_CORRELATION ? 0 : 1);
}

/**
 * Runs `npm run lab -- calibrate`: compares scores and classes with what experts expect. Resolves to the exit
 * code.
 */
export async function runCalibrate(): Promise<number> {
  const print = console.log;
  let missed = await judgeScenarios(print);
  const items = readCorpus(corpusDir());
  const isKnown = judgeClasses(items, print);
  const all = items.map((item) => ({ item, report: reportOf(item) }));
  const isBelow = ({ report }: (typeof all)[number]) => report.grade !== 'A';
  const judge = (name: string, some: typeof all, allowed: (share: number) => boolean) => {
    const below = some.filter(isBelow);
    const share = below.length / Math.max(1, some.length);
    missed += allowed(share) ? 0 : 1;
    print(`${name}: ${below.length} of ${some.length} below A`);
    for (const { item, report } of below) print(`  ${item.id} ${report.score}: ${costs(report)}`);
  };
  const sure = all.filter(({ item }) => !item.unsure);
  const templates = sure.filter(({ item }) => isTemplate(item.id));
  judge('templates', templates, (share) => share <= MAX_TEMPLATES_BELOW);
  const letters = sure.filter(({ item }) => !isTemplate(item.id) && LETTERS.includes(item.class));
  const [damaged, whole] = [true, false].map((wanted) =>
    letters.filter(({ report }) => causesOf(report).length > 0 === wanted),
  ) as [typeof all, typeof all];
  judge('letters', whole, (share) => share === 0);
  for (const { item, report } of damaged)
    print(`  left out, with its cause: ${item.id} ${report.score}: ${causesOf(report).join('; ')}`);
  judge(
    'fraud',
    sure.filter(({ item }) => item.class === 'phish'),
    (share) => share >= MIN_FRAUD_BELOW,
  );
  judge(
    'spam, of which much deceives nobody',
    sure.filter(({ item }) => item.class === 'spam'),
    () => true,
  );
  return missed === 0 && isKnown ? 0 : 1;
}
