/**
 * Parses which output formats the user requests, empties their files before the work begins, and writes the
 * results to stdout or to these files.
 */

import { writeFileSync } from 'node:fs';
import type { CommandConsole } from '../console.ts';
import { EXIT, usageError } from '../exit.ts';
import { isSameFile, systemCode } from '../files.ts';
import { readWord } from '../options.ts';
import type { RunOutcome } from '../outcome.ts';
import { toGithub } from './github.ts';
import { toJson } from './json.ts';
import { toJunit } from './junit.ts';
import { toMarkdown } from './markdown.ts';
import { toSarif } from './sarif.ts';
import { toView } from './view.ts';

const FORMATS = ['view', 'json', 'junit', 'sarif', 'github', 'markdown'] as const;
type Format = (typeof FORMATS)[number];

/** A format, and the path of the file that it is written to; null for stdout. */
interface Output {
  readonly format: Format;
  readonly file: string | null;
  /** True if the file also belongs to other programs, so that the result is appended to what they wrote. */
  readonly isShared: boolean;
}

/** The name of stdout instead of a file, as in `--format json=-`. */
const STDOUT = '-';

/**
 * Parses options such as `--format junit=report.xml`.
 *
 * @param summary the file to which all commands of a step in GitHub Actions append, if there is one
 */
export function toOutputs(wanted: readonly string[], summary?: string): Output[] {
  const outputs = (wanted.length > 0 ? wanted : ['view']).map((text) => {
    const [name = '', ...rest] = text.split('=');
    const format = readWord('format', name, FORMATS);
    const file = rest.length > 0 ? rest.join('=') : STDOUT;
    if (file === '')
      throw usageError(`--format ${text} does not name a file: add one after the =.`);
    const isShared = summary !== undefined && isSameFile(file, summary);
    return { format, file: file === STDOUT ? null : file, isShared };
  });
  if (outputs.filter(({ file }) => file === null).length > 1)
    throw usageError(
      'Only one --format can go to stdout: give each of the others a file, as in FORMAT=FILE.',
    );
  const files = outputs.flatMap(({ file }) => (file === null ? [] : [file]));
  const twice = files.find((file, index) =>
    files.slice(0, index).some((one) => isSameFile(one, file)),
  );
  if (twice !== undefined) throw usageError(`Two formats cannot go to the same file, ${twice}.`);
  return outputs;
}

/** The files that a command writes and reads. */
export interface Writing {
  readonly outputs: readonly Output[];
  /** Paths of the files that the command reads. No output may replace one of them. */
  readonly inputs: readonly string[];
}

/**
 * Opens each output file before the work begins, and empties it unless it is shared. An earlier result can
 * then not be mistaken for this one, and a file that cannot be written costs neither an email nor money.
 *
 * @throws CommandError also if one of them is among the files to be read
 */
export function emptyOutputs({ outputs, inputs }: Writing): void {
  for (const { file, isShared } of outputs) {
    if (file === null) continue;
    if (inputs.some((input) => isSameFile(input, file)))
      throw usageError(`--format would overwrite the input ${file}: name another file.`);
    write(file, '', isShared);
  }
}

/** Settings for how results are shown. */
export interface Showing {
  readonly outputs: readonly Output[];
  /** True if the terminal view shows every finding. */
  readonly all: boolean;
  /** True if there may be several emails. Each email is then named, and the total comes last. */
  readonly many?: boolean;
}

/**
 * Writes the results of the emails in each of the requested formats.
 *
 * @throws CommandError if an output cannot be written, after all others have been
 */
export async function printOutcomes(
  outcomes: readonly RunOutcome[],
  { outputs, all, many = false }: Showing,
  { print, note, columns, colors }: CommandConsole,
): Promise<void> {
  const faults = outcomes.flatMap(({ fault }) => fault ?? []);
  // A mistake on the command line is reported on stderr, where people look for it, if the terminal view would
  // show nothing else.
  const isMistake =
    faults.some(({ exitCode }) => exitCode === EXIT.usage) &&
    outcomes.every(({ report }) => report === null);
  const renderers: Readonly<Record<Format, (isFile: boolean) => string>> = {
    view: (isFile) => toView(outcomes, { columns, colors: colors && !isFile, all, many }),
    json: () => toJson(outcomes, many),
    junit: () => toJunit(outcomes),
    sarif: () => toSarif(outcomes),
    github: () => toGithub(outcomes),
    markdown: () => toMarkdown(outcomes),
  };
  let isSaid = false;
  let failure: Error | null = null;
  for (const { format, file, isShared } of outputs) {
    if (file === null && format === 'view' && isMistake) continue;
    const text = renderers[format](file !== null);
    try {
      if (file !== null) write(file, text, isShared);
      else if (await print(text)) isSaid ||= format === 'view';
    } catch (error) {
      failure ??= error as Error;
    }
  }
  if (!isSaid) for (const { message } of faults) note(message);
  if (faults.some(({ excused }) => excused))
    note('The build continues, because --soft allows this outage.');
  if (failure) throw failure;
}

function write(file: string, text: string, isShared: boolean): void {
  try {
    writeFileSync(file, text, { flag: isShared ? 'a' : 'w' });
  } catch (error) {
    throw usageError(`${file} cannot be written${systemCode(error)}.`);
  }
}
