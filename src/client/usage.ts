/** Formats the text that `--help` prints. */

import { EXIT, exitCodeNamed, MEANINGS } from './exit.ts';
import { wrap } from './formats/layout.ts';
import table from './usage.json' with { type: 'json' };

type Options = Readonly<Record<string, string>>;

interface Usage {
  readonly does: string;
  readonly line: string;
  /** Names of entries in `options`, in groups that are shown as separate blocks. */
  readonly groups: readonly (readonly string[])[];
  /** Exit codes that the command can return. If left out, it can return any of them. */
  readonly codes?: readonly (keyof typeof MEANINGS)[];
  readonly examples: readonly string[];
}

const options: Readonly<Record<string, Options>> = table.options;
const usages = table.commands as Readonly<Record<string, Usage>>;

/** Commands to try right after installing the package. */
const START = `Start with:
  deliverability domain example.com   what the domain publishes; free
  deliverability lint mail.eml        an email in a file; free
  deliverability check --service URL  a real email and its report; paid`;

const ALL = Object.keys(EXIT) as (keyof typeof EXIT)[];

const codesOf = (names: readonly (keyof typeof MEANINGS)[] = ALL): string =>
  wrap(
    `Exit codes: ${names.map((name) => `${exitCodeNamed(name)} ${MEANINGS[name]}`).join(', ')}.`,
    100,
  ).join('\n');

/** Returns what `--help` prints about one command, or about all of them. */
export function commandUsage(name?: string): string {
  const one = name === undefined ? undefined : usages[name];
  if (one) {
    const groups = one.groups.map((names) => names.flatMap(linesOf).join('\n'));
    const examples = ['Examples:', ...one.examples.map((line) => `  deliverability ${line}`)];
    const parts = [`deliverability ${one.line}`, one.does, ...groups, examples.join('\n')];
    return `${[...parts, codesOf(one.codes)].join('\n\n')}\n`;
  }
  const lines = Object.entries(usages).map(([key, { does }]) => `  ${key.padEnd(10)}${does}`);
  const more =
    '`deliverability COMMAND --help` explains a command, with examples. --version prints the version.';
  const parts = ['deliverability COMMAND [options]', lines.join('\n'), START, codesOf(), more];
  return `${parts.join('\n\n')}\n`;
}

const linesOf = (name: string): readonly string[] =>
  Object.entries(options[name] ?? {}).flatMap(([option, text]) =>
    text.split('\n').map((line, i) => `  ${(i === 0 ? option : '').padEnd(23)}${line}`),
  );
