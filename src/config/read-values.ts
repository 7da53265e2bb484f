import { nearest } from './nearest.ts';
import { type Name, type SettingValues, table } from './table.ts';

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

/** Names that nobody reads but that look like a setting: a slip of the pen. */
export const misspelt = (env: Environment): readonly string[] =>
  Object.keys(env)
    .filter((name) => !(name in table) && textOf(env, name) !== null)
    .flatMap((name) => {
      const near = nearest(name, names);
      return near ? [`${name} is no setting: did you mean ${near}?`] : [];
    });
