import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** What a new check of a signal stands beside: the signal's last check in the catalogue. */
export interface Signal {
  readonly folder: string;
  readonly file: string;
  /** Of the last check: its id, and what it judges. */
  readonly anchor: { readonly id: string; readonly subject: string };
}

const DEFINITION =
  /export const \w+ = defineCheck\(\{\n {2}id: '(\w+)',\n(?: {2}subject: (.+),\n)?/g;

interface Definition {
  readonly file: string;
  readonly id: string;
  readonly subject: string;
}

function definitionsIn(file: string): Definition[] {
  const found = [...readFileSync(file, 'utf8').matchAll(DEFINITION)];
  return found.map(([, id = '', subject = '']) => ({ file, id, subject }));
}

/** The folders of `src/analysis` that define checks. */
export function signals(): readonly string[] {
  const files = globSync('src/analysis/*/*.ts').filter((file) => definitionsIn(file).length > 0);
  return [...new Set(files.map((file) => basename(dirname(file))))].sort();
}

/** @param catalogue the text of findings.json */
export function readSignal(folder: string, catalogue: string): Signal | undefined {
  const definitions = globSync(`src/analysis/${folder}/*.ts`)
    .flatMap(definitionsIn)
    .sort((a, b) => catalogue.indexOf(`{"id":"${a.id}",`) - catalogue.indexOf(`{"id":"${b.id}",`));
  const last = definitions.at(-1);
  const { id, file } = last ?? {};
  if (!id || !file) return undefined;
  const sameFile = definitions.find((one) => one.file === file && one.subject !== '');
  const subject = sameFile?.subject ?? `({ ${folder} }) => ${folder}`;
  return { folder, file, anchor: { id, subject } };
}
