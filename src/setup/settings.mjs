import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './cache.mjs';

/** Settings of the service that decide what the set-up installs. */
const names = ['NATS_URL', 'NATS_SERVER_BIN'];

/**
 * The environment, and what a `.env` file adds to it. The service reads all of that file; older
 * versions of Node.js, which this may run on, cannot.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {string} text of the file
 * @returns {NodeJS.ProcessEnv}
 */
export function withSettings(env, text) {
  const found = names.map((name) => {
    const line = new RegExp(
      `^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=[ \\t]*(['"]?)([^'"\\s#]+)\\1`,
      'm',
    );
    return [name, env[name] || line.exec(text)?.[2]];
  });
  return { ...env, ...Object.fromEntries(found) };
}

/** @param {NodeJS.ProcessEnv} [env] */
export function readSettings(env = process.env) {
  const file = join(projectDir, '.env');
  return withSettings(env, existsSync(file) ? readFileSync(file, 'utf8') : '');
}
