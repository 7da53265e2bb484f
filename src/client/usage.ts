import { EXIT, MEANINGS } from './exit.ts';
import { wrap } from './formats/layout.ts';
import table from './usage.json' with { type: 'json' };

type Options = Readonly<Record<string, string>>;

interface Usage {
  readonly does: string;
  readonly line: string;
  /** Names of `options`; each group is a block of its own. */
  readonly groups: readonly (readonly string[])[];
}

const options: Readonly<Record<string, Options>> = table.options;
const usages: Readonly<Record<string, Usage>> = table.commands;

const CODES = wrap(
  `Exit codes: ${Object.entries(EXIT)
    .map(([name, code]) => `${code} ${MEANINGS[name as keyof typeof EXIT]}`)
    .join(', ')}.`,
  100,
).join('\n');

/** What `--help` prints: of one command, or of all. */
export function commandUsage(name?: string): string {
  const one = name === undefined ? undefined : usages[name];
  if (one) {
    const groups = one.groups.map((names) => names.flatMap(linesOf).join('\n'));
    return `${[`deliverability ${one.line}`, one.does, ...groups, CODES].join('\n\n')}\n`;
  }
  const lines = Object.entries(usages).map(([key, { does }]) => `  ${key.padEnd(8)}${does}`);
  return `${['deliverability COMMAND [options]', lines.join('\n'), CODES].join('\n\n')}\n\n\`deliverability COMMAND --help\` explains one. --version prints the version.\n`;
}

const linesOf = (name: string): readonly string[] =>
  Object.entries(options[name] ?? {}).flatMap(([option, text]) =>
    text.split('\n').map((line, i) => `  ${(i === 0 ? option : '').padEnd(23)}${line}`),
  );
