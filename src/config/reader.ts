import { readFileSync } from 'node:fs';
import ipaddr from 'ipaddr.js';

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

/**
 * Reads one setting after another and collects what is wrong with them. An empty value counts as
 * not set, as a line `NAME=` in `.env` means it.
 */
export function settingsReader(env: Environment) {
  const faults: string[] = [];
  const get = (name: string) => env[name]?.trim() || undefined;
  const fault = (name: string, what: string) => {
    faults.push(`${name} ${what}`);
  };
  /** A setting that is there and wrong has its own message already. */
  const needed = (name: string, why: string) => {
    if (get(name) === undefined) fault(name, `is needed ${why}`);
  };

  function matching<T>(
    name: string,
    fallback: T,
    allowed: string,
    parse: (text: string) => T | undefined,
  ): T {
    const text = get(name);
    if (text === undefined) return fallback;
    const value = parse(text);
    if (value === undefined) fault(name, `must be ${allowed}.`);
    return value ?? fallback;
  }

  const text = (name: string) => get(name) ?? null;

  const integer = (name: string, fallback: number, min: number, max: number) =>
    matching(name, fallback, `a whole number from ${min} to ${max}`, (value) => {
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
      return number >= min && number <= max ? number : undefined;
    });

  const choice = <const W extends string>(name: string, fallback: W, words: readonly W[]) =>
    matching<W>(name, fallback, words.join(' or '), (value) =>
      words.find((word) => word === value),
    );

  const list = (name: string, fallback: readonly string[]) =>
    get(name)
      ?.split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '') ?? fallback;

  const listOf = (
    name: string,
    fallback: readonly string[],
    allowed: string,
    test: (item: string) => boolean,
  ) => {
    const items = list(name, fallback);
    if (!items.every(test)) fault(name, `must be ${allowed}, separated by commas.`);
    return items;
  };

  const url = (name: string, protocols: readonly string[]) =>
    matching<string | null>(
      name,
      null,
      `a URL beginning with ${protocols.join(' or ')}//`,
      (value) =>
        URL.canParse(value) && protocols.includes(new URL(value).protocol)
          ? value.replace(/\/+$/, '')
          : undefined,
    );

  const pattern = <F extends string | null>(
    name: string,
    fallback: F,
    allowed: string,
    test: RegExp,
  ) =>
    matching<string | F>(name, fallback, allowed, (value) =>
      test.test(value) ? value : undefined,
    );

  /** The content of a file that a setting names; the message never shows it. */
  const file = (name: string) =>
    matching<string | null>(name, null, 'the path of a file that can be read', (path) => {
      try {
        return readFileSync(path, 'utf8').trim();
      } catch {
        return undefined;
      }
    });

  const cidrs = (name: string) =>
    listOf(name, [], 'CIDR ranges such as 192.0.2.0/24', (item) => {
      try {
        return Boolean(ipaddr.parseCIDR(item));
      } catch {
        return false;
      }
    });

  return { faults, fault, needed, text, integer, choice, list, listOf, url, pattern, file, cidrs };
}

export type SettingsReader = ReturnType<typeof settingsReader>;
