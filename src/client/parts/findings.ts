import { checks, findCheck } from '../../analysis/checks.ts';
import { explainCheck } from '../../analysis/explain-check.ts';
import { CATALOGUE_VERSION } from '../../analysis/scale.ts';
import type { CommandConsole } from '../console.ts';
import { EXIT, type ExitCode, usageError } from '../exit.ts';
import { cutTo, type Paints, paintsOf, widthOf, wrap } from '../formats/layout.ts';
import { readArgs, readWord } from '../options.ts';
import { meantFinding } from '../unknown-word.ts';

type Explained = ReturnType<typeof explainCheck>;

const options = { format: { type: 'string' } } as const;

/**
 * Runs `deliverability findings`: lists all findings, or explains one, using only the checks in this package.
 */
export async function runFindings(
  args: readonly string[],
  console: CommandConsole,
): Promise<ExitCode> {
  const { values, positionals } = readArgs(args, options, ['[WORD]']);
  const format = readWord('format', values.format ?? 'view', ['view', 'json'] as const);
  const found = find(positionals[0]);
  const view = format === 'json' ? toJson : found.length === 1 ? toText : toList;
  await console.print(view(found, widthOf(console.columns), paintsOf(console.colors)));
  return EXIT.good;
}

/**
 * Returns the finding with this id. If there is none, returns the findings whose id, title or area contains
 * the word.
 */
function find(word: string | undefined): readonly Explained[] {
  if (word === undefined) return checks.map(explainCheck);
  const one = findCheck(word);
  if (one) return [explainCheck(one)];
  const part = word.toLowerCase();
  const some = checks.filter(
    ({ id, title, area }) =>
      id.includes(part.replaceAll('-', '_')) ||
      [title.toLowerCase(), area].some((text) => text.includes(part)),
  );
  if (some.length === 0)
    throw usageError(`No finding has ${word} in its id or title.${meantFinding(word)}`);
  return some.map(explainCheck);
}

const toJson = (found: readonly Explained[]) =>
  `${JSON.stringify({ version: CATALOGUE_VERSION, findings: found }, null, 2)}\n`;

/** Says how many points the worst state of a check costs. */
const costOf = ({ states }: Pick<Explained, 'states'>): string => {
  const most = Math.max(...states.map(({ points }) => points));
  return most > 0 ? `-${most}` : '';
};

function toList(found: readonly Explained[], width: number, paint: Paints): string {
  const idWidth = Math.max(...found.map(({ id }) => id.length));
  const lines = [...Map.groupBy(found, ({ area }) => area)].flatMap(([area, all]) => [
    '',
    `  ${paint.bold(area)}`,
    ...all.map(
      (one) =>
        `    ${one.id.padEnd(idWidth)}  ${costOf(one).padStart(3)}  ${cutTo(one.title, width - idWidth - 11)}`,
    ),
  ]);
  const tail = [
    '',
    `  ${found.length} findings; each number is the most points that the finding can cost.`,
    '  `deliverability findings ID` explains one.',
  ];
  return `${[...lines, ...tail].join('\n')}\n`;
}

function toText([one]: readonly Explained[], width: number, paint: Paints): string {
  if (!one) return '';
  const { id, title, area, only_after, about, states, fix, fixes = {}, reference } = one;
  const say = (text: string, indent = 2) =>
    wrap(text, width - indent).map((line) => `${' '.repeat(indent)}${line}`);
  const item = (text: string) =>
    wrap(text, width - 6).map((line, at) => `    ${at === 0 ? '-' : ' '} ${line}`);
  const block = (head: string, lines: readonly string[]) => ['', `  ${paint.bold(head)}`, ...lines];
  const costs = states.map(({ severity, points, score_cap, when }) => {
    const cost = points > 0 ? `-${points}` : '';
    const cap = score_cap === undefined ? '' : `score at most ${score_cap}: `;
    const [first = '', ...more] = wrap(`${cap}${when}`, width - 17);
    return [
      `    ${severity.padEnd(4)}  ${cost.padStart(3)}  ${first}`,
      ...more.map((line) => `${' '.repeat(15)}${line}`),
    ].join('\n');
  });
  const lines = [
    '',
    `  ${paint.bold(title)}  ${paint.dim(id)}`,
    ...say(
      `Area ${area}${only_after === undefined ? '' : `; checked only if ${only_after} passes`}. ${reference}.`,
    ),
    '',
    ...say(`${about.what} ${about.why}`),
    ...block('States, from worst to best', costs),
    ...block('What to do', about.how.flatMap(item)),
    ...block('What a report says about it', [...[fix, ...Object.values(fixes)].flatMap(item)]),
    ...block(
      'Wrong',
      about.bad.split('\n').map((line) => `    ${line}`),
    ),
    ...block(
      'Right',
      about.good.split('\n').map((line) => `    ${paint.copy(line)}`),
    ),
  ];
  return `${lines.join('\n')}\n`;
}
