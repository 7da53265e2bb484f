import { writeFileSync } from 'node:fs';
import type { CommandConsole } from '../console.ts';
import { usageError } from '../exit.ts';
import { systemCode } from '../files.ts';
import type { RunOutcome } from '../outcome.ts';
import { toGithub } from './github.ts';
import { toJunit } from './junit.ts';
import { toMarkdown } from './markdown.ts';
import { toSarif } from './sarif.ts';
import { toView } from './view.ts';

const FORMATS = ['view', 'json', 'junit', 'sarif', 'github', 'markdown'] as const;
type Format = (typeof FORMATS)[number];

/** A format and the file that it goes to; null: stdout. */
export interface Output {
  readonly format: Format;
  readonly file: string | null;
}

/** Reads `--format junit=report.xml` and the like. */
export function toOutputs(wanted: readonly string[]): Output[] {
  const outputs = (wanted.length > 0 ? wanted : ['view']).map((text) => {
    const [name = '', ...file] = text.split('=');
    const format = FORMATS.find((one) => one === name);
    if (!format) throw usageError(`--format must be one of ${FORMATS.join(', ')}, not ${name}.`);
    return { format, file: file.length > 0 ? file.join('=') : null };
  });
  if (outputs.filter(({ file }) => file === null).length > 1)
    throw usageError('Only one --format can go to stdout: give the others a file, FORMAT=FILE.');
  return outputs;
}

/** Writes an outcome in each of its formats. */
export function printOutcome(
  outcome: RunOutcome,
  outputs: readonly Output[],
  { print, columns, colors }: CommandConsole,
  all: boolean,
): void {
  const renderers: Readonly<Record<Format, (isFile: boolean) => string>> = {
    view: (isFile) => toView(outcome, { columns, colors: colors && !isFile, all }),
    json: () => `${JSON.stringify(outcome.report ?? toFault(outcome), null, 2)}\n`,
    junit: () => toJunit(outcome),
    sarif: () => toSarif(outcome),
    github: () => toGithub(outcome),
    markdown: () => toMarkdown(outcome),
  };
  for (const { format, file } of outputs) {
    const text = renderers[format](file !== null);
    if (file === null) print(text);
    else write(file, text);
  }
}

const toFault = ({ fault }: RunOutcome) => ({
  error: { message: fault?.message ?? '', exit_code: fault?.exitCode ?? null },
});

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw usageError(`${file} cannot be written${systemCode(error)}.`);
  }
}
