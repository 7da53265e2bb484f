import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type Figure, isMissed, toTable } from './figures.ts';

/** Of a bench whose only option is `--json FILE`. */
export interface Options {
  readonly json: string | undefined;
}

/** `undefined`: something else was asked for. */
export function readOptions(args: readonly string[]): Options | undefined {
  try {
    const { values } = parseArgs({ args: [...args], options: { json: { type: 'string' } } });
    return { json: values.json };
  } catch {
    return undefined;
  }
}

/** Of a bench whose rows can be measured alone, each by its name. `undefined`: something else was asked for. */
export function readRows<Row>(args: readonly string[], rows: Readonly<Record<string, Row>>) {
  const names = args.filter((one, at) => !one.startsWith('--') && args[at - 1] !== '--json');
  const options = readOptions(args.filter((one) => !names.includes(one)));
  if (!options || !names.every((name) => Object.hasOwn(rows, name))) return undefined;
  const chosen = Object.entries(rows).filter(
    ([name]) => names.length === 0 || names.includes(name),
  );
  return { ...options, rows: chosen.map(([, row]) => row) };
}

/** Prints the figures, and writes them where asked. Resolves to the exit code: 1 when one is missed. */
export async function printFigures(figures: readonly Figure[], { json }: Options): Promise<number> {
  console.log(toTable(figures));
  if (json !== undefined) {
    const machine = { node: process.version, cores: availableParallelism() };
    await writeFile(json, `${JSON.stringify({ ...machine, figures }, null, 2)}\n`);
  }
  return figures.some(isMissed) ? 1 : 0;
}
