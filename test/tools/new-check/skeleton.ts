import { existsSync, globSync, readFileSync } from 'node:fs';
import type { Signal } from './signal.ts';

/** Stands where only a person can write. Tests fail as long as it is there. */
export const BLANK = '…';

const CATALOGUE = 'src/domain/findings.json';

const toName = (id: string) => id.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Every file that a new check touches, with its new text. */
export function skeleton(id: string, signal: Signal): ReadonlyMap<string, string> {
  return new Map([
    [CATALOGUE, withRow(id, signal)],
    [signal.file, withDefinition(id, signal)],
    withTableCases(id, signal),
    withMail(id, signal),
  ]);
}

/** The row after the signal's last: one line, in the same area and family, behind no gate. */
function withRow(id: string, { anchor }: Signal): string {
  const lines = readFileSync(CATALOGUE, 'utf8').split('\n');
  const at = lines.findIndex((line) => line.includes(`{"id":"${anchor.id}",`));
  const before = lines[at] ?? '';
  const { area, family } = JSON.parse(before.trim().replace(/,$/, ''));
  const states = [
    { severity: 'warn', points: 1, cap: null, when: BLANK },
    { severity: 'pass', points: 0, cap: null, when: BLANK },
  ];
  const words = { title: BLANK, fix: BLANK, reference: BLANK };
  const row = JSON.stringify({ id, area, family, gate: null, release: 1, ...words, states });
  lines[at] = before.endsWith(',') ? before : `${before},`;
  lines.splice(at + 1, 0, `    ${row}${before.endsWith(',') ? ',' : ''}`);
  return lines.join('\n');
}

const withDefinition = (id: string, { file, anchor }: Signal): string =>
  `${readFileSync(file, 'utf8')}
export const ${toName(id)} = defineCheck({
  id: '${id}',
  subject: ${anchor.subject},
  ladder: [['warn', () => false]],
  detail: () => '${BLANK}',
});
`;

/** A table case a state, at the end of the table that has the signal's last check. */
function withTableCases(id: string, { anchor }: Signal): readonly [string, string] {
  const [file, text] = mentioning('test/analysis/*/*.cases.ts', `'${anchor.id}'`);
  return [file, beforeEnd(text, `  ['${id}', 'pass 0'],\n  ['${id}', 'warn 1', {}],\n`)];
}

/** A whole mail in the state, beside the signal's own or those of its last check. */
function withMail(id: string, { folder, anchor }: Signal): readonly [string, string] {
  const own = 'test/analysis/whole/cases';
  const name = existsSync(`${own}/${folder}.ts`) ? folder : '*';
  const [file, text] = mentioning(`${own}/${name}.ts`, `${anchor.id}: `);
  return [file, beforeEnd(text, `  { about: '${id}: ${BLANK}', states: { ${id}: 'warn 0' } },\n`)];
}

/** The file that has most of some words. */
function mentioning(pattern: string, words: string): [string, string] {
  const files = globSync(pattern).map((file): [string, string] => [
    file,
    readFileSync(file, 'utf8'),
  ]);
  const count = ([, text]: [string, string]) => text.split(words).length;
  const [first] = files.sort((a, b) => count(b) - count(a));
  if (!first) throw new Error(`There is no file ${pattern}.`);
  return first;
}

/** Into the last list of a file. */
function beforeEnd(text: string, lines: string): string {
  const at = text.lastIndexOf('\n];') + 1;
  return text.slice(0, at) + lines + text.slice(at);
}
