import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readSignal, signals } from './signal.ts';
import { skeleton } from './skeleton.ts';

/** All list every check; none asks for judgement. */
const SAMPLE = 'src/analysis/sample-report.json';
const API = 'docs/api/openapi-1.json';
const SCHEMA = 'docs/api/report-2.schema.json';

/** What a person reads of it: nothing can be written there ahead. */
const EXPLANATIONS = 'src/api/pages/explanations.json';

/**
 * `npm run new-check -- ID [--signal FOLDER]`: writes a check that never complains, with its tests.
 * Those that fail then say what is left to decide. Resolves to the exit code.
 */
export async function runNewCheck(args: readonly string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { signal: { type: 'string' } },
  });
  const [id = ''] = positionals;
  const catalogue = readFileSync('src/domain/findings.json', 'utf8');
  const folder = values.signal ?? id.split('_', 1)[0] ?? '';
  const signal = readSignal(folder, catalogue);
  const fault = !/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/.test(id)
    ? 'ID is lower-case words joined by _, such as spf_example'
    : catalogue.includes(`{"id":"${id}",`)
      ? `there is a check ${id} already`
      : signal === undefined && `--signal is one of ${signals().join(', ')}`;
  if (fault || !signal) {
    console.error(`npm run new-check -- ID [--signal FOLDER]: ${fault}.`);
    return 2;
  }

  const files = skeleton(id, signal);
  for (const [file, text] of files) writeFileSync(file, text);
  format([...files.keys()].filter((file) => file.endsWith('.ts')));
  await writeLists();
  console.log(
    [
      'Written for you:',
      ...[SAMPLE, API, SCHEMA].map((file) => `  ${file}`),
      'Yours: replace each …, the "() => false" of the ladder and the {} of the table in',
      ...[...files.keys(), EXPLANATIONS].map((file) => `  ${file}`),
      'docs/CONTRIBUTING.md, "Add a check", says how.',
    ].join('\n'),
  );
  return 0;
}

function format(files: readonly string[]): void {
  const biome = ['node_modules/@biomejs/biome/bin/biome', 'check', '--write'];
  const options = ['--config-path', '.biome.json', '--log-level', 'error'];
  execFileSync(process.execPath, [...biome, ...options, ...files], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Loaded only now: with the new catalogue. */
async function writeLists(): Promise<void> {
  const { describeApi } = await import('../../../src/cli/openapi.ts');
  const { reportSchema } = await import('../../../src/api/discovery/report-schema.ts');
  const { EXAMPLE_URL } = await import('../../../src/api/schemas/examples.ts');
  const { makeReport } = await import('../../../src/analysis/report.ts');
  const { sampleFacts } = await import('../../support/mail/sample-facts.ts');
  const { analyzed_at: at } = JSON.parse(readFileSync(SAMPLE, 'utf8'));
  const write = (file: string, value: object) =>
    writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
  write(SAMPLE, makeReport(sampleFacts, at));
  write(API, await describeApi());
  write(SCHEMA, reportSchema(EXAMPLE_URL));
}
