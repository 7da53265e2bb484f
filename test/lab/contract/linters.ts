import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const bin = (name: string) =>
  fileURLToPath(new URL(`../../../node_modules/.bin/${name}`, import.meta.url));
const rules = fileURLToPath(new URL('./spectral.yaml', import.meta.url));
const redocly = fileURLToPath(new URL('../../../.redocly.yaml', import.meta.url));

/** Returns what Redocly and Spectral object to in a document, or nothing. */
export async function lintDocument(folder: string, document: object): Promise<readonly string[]> {
  const path = join(folder, 'openapi.json');
  await writeFile(path, JSON.stringify(document));
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const lint = (program: string, args: readonly string[]) =>
    run(bin(program), [...args, path], { env }).then(
      () => [],
      ({ stdout, stderr }: { stdout: string; stderr: string }) => [
        `${program}: ${stdout}${stderr}`,
      ],
    );
  const found = await Promise.all([
    lint('redocly', ['lint', '--config', redocly]),
    lint('spectral', ['lint', '--quiet', '--fail-severity', 'hint', '-r', rules]),
  ]);
  return found.flat();
}
