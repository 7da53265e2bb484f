/**
 * Reads the settings from the environment and `.env`, and reports wrong values, misspelt names, and settings
 * of earlier releases.
 */

import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { nearest } from '../domain/nearest.ts';
import { type Name, REMOVED, type SettingValues, table } from './settings.ts';

const ENV_FILE = '.env';

/** Matches names in `.env` that are intended for docker-compose.yml or Node.js, not for the service. */
const OTHERS = /^(SITE_ADDRESS|NODE|NATS_HOSTS|TZ|COMPOSE_\w+|NODE_\w+|\w+_PROXY)$/i;

/** A shell and `.env` remove quotes; `docker run --env-file` and word processors do not. */
const QUOTED = /^["'`“”„‘’].*["'`“”‘’]$/;

/** The error that reports all wrong settings in one message. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`These settings are wrong:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

export const names = Object.keys(table) as readonly Name[];

/**
 * Returns the value of a variable, or null if it is not set. An empty value counts as not set, as the line
 * `NAME=` in `.env` intends.
 */
const textOf = (env: Environment, name: string) => env[name]?.trim() || null;

/**
 * Reads the environment, and takes settings that the environment does not contain from `.env`. Every name in
 * `.env` must be a setting.
 *
 * @throws ConfigError if there is a `.env` that cannot be read
 */
export function loadEnvironment(path = ENV_FILE) {
  const text = readEnvFile(path);
  const file = parseEnv(text);
  const unknown = Object.keys(file)
    .filter((name) => !isKnown(name) && !OTHERS.test(name) && !nearest(name, names))
    .map((name) => `${name} in .env is not a setting: remove it.`);
  return { env: { ...file, ...process.env }, unknown: [...misreadLines(text), ...unknown] };
}

/** Returns the text of `.env` without a byte order mark. It is empty if there is no such file. */
function readEnvFile(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    throw new ConfigError([
      `.env cannot be read (${code}): make it a file that this user may read.`,
    ]);
  }
  if (text.includes('\0')) throw new ConfigError(['.env is not UTF-8: save it in that encoding.']);
  return text.replace(/^\ufeff/, '');
}

/** Matches a line that sets nothing, such as `NAME: value`. */
const SETS_NOTHING = /^(?!\s*($|#))[^=]*$/;

/** Matches a line whose value contains a `#` that begins a comment without a space, and would cut the value off. */
const CUT_VALUE = /^[^#=]*=\s*[^\s#'"`][^\s#]*(?:\s+[^\s#]+)*#/;

/** Returns a message for each line of `.env` that does not mean what it says. */
const misreadLines = (text: string): readonly string[] =>
  text.split(/\r\n|\r|\n/).flatMap((line, at) => {
    const name = `Line ${at + 1} of .env`;
    if (SETS_NOTHING.test(line)) return `${name} must be NAME=value, or begin with #.`;
    return CUT_VALUE.test(line)
      ? `${name} has a # in its value, which begins a comment: put the value in quotes, or add a space before the #.`
      : [];
  });

const isKnown = (name: string) => name in table || REMOVED.includes(name);

/**
 * Returns the values of all settings, and a fault for each wrong one: `NAME must be …`, without the value,
 * which may be secret.
 */
export function readValues(env: Environment) {
  const faults = new Map<Name, string>();
  const read = (name: Name): unknown => {
    const { kind, fallback } = table[name];
    const text = textOf(env, name);
    const value = text === null ? undefined : kind.parse(text);
    if (text !== null && QUOTED.test(text))
      faults.set(name, 'is in quotes, which are part of the value here: remove them.');
    else if (text !== null && value === undefined) faults.set(name, `must be ${kind.allowed}.`);
    return value ?? (fallback === null ? null : kind.parse(fallback));
  };
  const values = Object.fromEntries(names.map((name) => [name, read(name)])) as SettingValues;
  const isSet = (name: Name) => textOf(env, name) !== null;
  return { values, faults, isSet };
}

/** Returns the settings of earlier releases that are still set and no longer have any effect. */
export const removedIn = (env: Environment): readonly string[] =>
  REMOVED.filter((name) => textOf(env, name) !== null);

/** Returns a message for each environment variable that is not a setting but looks like a misspelt one. */
export const misspelt = (env: Environment): readonly string[] =>
  Object.keys(env)
    .filter((name) => !isKnown(name) && textOf(env, name) !== null)
    .flatMap((name) => {
      const near = nearest(name, names);
      return near ? [`${name} is not a setting: did you mean ${near}?`] : [];
    });
