import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { type Name, REMOVED, type SettingValues, table } from './settings.ts';

const ENV_FILE = '.env';

/** Names in `.env` that are not for the service: docker-compose.yml reads them, or Node.js. */
const OTHERS = /^(SITE_ADDRESS|NODE|NATS_HOSTS|TZ|COMPOSE_\w+|NODE_\w+|\w+_PROXY)$/i;

/** Slips that still count as near: letters more, fewer or other; two that are swapped are two. */
const MAX_SLIPS = 2;

/** Settings that are wrong, all of them in one message. */
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

/** An empty value counts as not set, as a line `NAME=` in .env means it. */
const textOf = (env: Environment, name: string) => env[name]?.trim() || null;

/** The environment, and `.env` for what it does not name; there, every name has to be a setting. */
export function loadEnvironment() {
  if (!existsSync(ENV_FILE)) return { env: process.env, unknown: [] };
  const file = parseEnv(readFileSync(ENV_FILE, 'utf8'));
  const unknown = Object.keys(file)
    .filter((name) => !isKnown(name) && !OTHERS.test(name) && !nearest(name))
    .map((name) => `${name} in .env is no setting: remove it.`);
  return { env: { ...file, ...process.env }, unknown };
}

const isKnown = (name: string) => name in table || REMOVED.includes(name);

/** What is set, and what is wrong with it: `NAME must be …`, without the value, which may be secret. */
export function readValues(env: Environment) {
  const faults = new Map<Name, string>();
  const read = (name: Name): unknown => {
    const { kind, fallback } = table[name];
    const text = textOf(env, name);
    const value = text === null ? undefined : kind.parse(text);
    if (text !== null && value === undefined) faults.set(name, `must be ${kind.allowed}.`);
    return value ?? (fallback === null ? null : kind.parse(fallback));
  };
  const values = Object.fromEntries(names.map((name) => [name, read(name)])) as SettingValues;
  const isSet = (name: Name) => textOf(env, name) !== null;
  return { values, faults, isSet };
}

/** Settings of an older release that are still set, and change nothing. */
export const removedIn = (env: Environment): readonly string[] =>
  REMOVED.filter((name) => textOf(env, name) !== null);

/** Names that nobody reads but that look like a setting: a slip of the pen. */
export const misspelt = (env: Environment): readonly string[] =>
  Object.keys(env)
    .filter((name) => !isKnown(name) && textOf(env, name) !== null)
    .flatMap((name) => {
      const near = nearest(name);
      return near ? [`${name} is no setting: did you mean ${near}?`] : [];
    });

/** The setting that a name was probably meant to be. */
function nearest(name: string): string | undefined {
  const [first] = names
    .map((candidate) => ({ candidate, slips: slipsBetween(name.toUpperCase(), candidate) }))
    .filter(({ slips }) => slips <= MAX_SLIPS)
    .sort((a, b) => a.slips - b.slips);
  return first?.candidate;
}

/** The edit distance (Levenshtein): each row is how far a beginning of one is from each beginning of the other. */
function slipsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [j, its] of [...other].entries()) {
      const [left = 0, above = 0, before = 0] = [next[j], row[j + 1], row[j]];
      next.push(Math.min(left + 1, above + 1, before + Number(letter !== its)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
