/** Generates and compiles two API clients from the OpenAPI document, and runs their commands. */

import { execFile } from 'node:child_process';
import { copyFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generateApi } from 'swagger-typescript-api';

const run = promisify(execFile);
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export const CLIENTS = ['typed-openapi', 'swagger-typescript-api'] as const;

/** The compiler options: as strict as possible, with the APIs of web clients and of Node.js. */
const strict = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noImplicitReturns: true,
    noEmit: true,
    target: 'es2024',
    module: 'nodenext',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: ['node'],
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  },
  include: ['*.ts'],
};

/**
 * Generates two clients of the document at `openapi.json` in a folder, by generators that do not know each
 * other, each with a program that uses it, and compiles them. Returns what the compiler objects to.
 */
export async function generateClients(folder: string): Promise<readonly string[]> {
  const input = join(folder, 'openapi.json');
  await run(
    path('../../../node_modules/.bin/typed-openapi'),
    ['openapi.json', '--output', 'typed-openapi.ts', '--runtime', 'none'],
    { cwd: folder },
  );
  const { files } = await generateApi({ input, output: false, silent: true });
  const code = files.map(({ fileContent }) => fileContent).join('\n');
  await writeFile(join(folder, 'swagger-typescript-api.ts'), code);
  for (const name of CLIENTS)
    await copyFile(path(`./clients/use-${name}.txt`), join(folder, `use-${name}.ts`));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(strict));
  await symlink(path('../../../node_modules'), join(folder, 'node_modules'));
  return run(path('../../../node_modules/.bin/tsc'), ['-p', folder, '--singleThreaded']).then(
    () => [],
    ({ stdout }: { stdout: string }) => [stdout.slice(0, 2000)],
  );
}

/** Runs one command of one client against a service. */
export async function useClient(
  folder: string,
  name: (typeof CLIENTS)[number],
  args: readonly string[],
): Promise<Record<string, unknown>> {
  const program = join(folder, `use-${name}.ts`);
  const { stdout } = await run(process.execPath, [
    ...['--experimental-transform-types', '--no-warnings', program],
    ...args,
  ]);
  return JSON.parse(stdout) as Record<string, unknown>;
}
