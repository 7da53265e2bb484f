import { execFile } from 'node:child_process';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const cli = fileURLToPath(new URL('../../../src/operator.ts', import.meta.url));

/** Runs `npm run operate -- streams` with these settings, as the one-shot part of docker-compose.yml does. */
export async function makeStreams(env: Readonly<Record<string, string | undefined>>) {
  const options = { cwd: parse(cli).root, env: { ...env } };
  const { stdout } = await promisify(execFile)(process.execPath, [cli, 'streams'], options);
  return stdout.trim().split('\n');
}
