import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as util from 'node:util';
import { projectDir } from './cache.mjs';

/**
 * The environment, and what the `.env` file adds to it, as the service reads it. The first releases of Node.js 20
 * cannot: then a nats-server is installed, whether NATS_URL is in the file or not.
 *
 * @returns {NodeJS.ProcessEnv}
 */
export function readSettings(file = join(projectDir, '.env')) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return { ...util.parseEnv?.(text), ...process.env };
}
