import type { Kind } from './kinds.ts';

/** How a setting reaches the service in docker-compose.yml, when not as `${NAME:-}`. */
interface Compose {
  /** Always this: the other services of the file rely on it. */
  readonly fixed?: string;
  /** This, unless .env says otherwise. */
  readonly unset?: string;
}

/** One setting: all that is written about it anywhere follows from its row. */
export interface SettingRow<T> {
  readonly kind: Kind<Exclude<T, null>>;
  /** As it would stand in .env; null: none. */
  readonly fallback: string | null;
  /** What it is for, with its unit, in sentences; how it is without one, if that is no value. */
  readonly about: string;
  readonly compose: Compose;
}

export function row<T>(
  kind: Kind<T>,
  fallback: string,
  about: string,
  compose?: Compose,
): SettingRow<T>;
export function row<T>(
  kind: Kind<T>,
  fallback: null,
  about: string,
  compose?: Compose,
): SettingRow<T | null>;
export function row<T>(kind: Kind<T>, fallback: string | null, about: string, compose = {}) {
  return { kind, fallback, about, compose };
}
