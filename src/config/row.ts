import type { Kind } from './kinds.ts';

/** How a setting reaches the service in docker-compose.yml, when not as `${NAME:-}`. */
interface Compose {
  /** Always this: the other services of the file rely on it. */
  readonly fixed?: string;
  /** This, unless .env says otherwise. */
  readonly unset?: string;
}

/** One setting. What is written about it anywhere follows from its row, and its sentence in `about.json`. */
export interface SettingRow<T> {
  readonly kind: Kind<Exclude<T, null>>;
  /** As it would stand in .env; null: none. */
  readonly fallback: string | null;
  readonly compose: Compose;
}

export function row<T>(kind: Kind<T>, fallback: string, compose?: Compose): SettingRow<T>;
export function row<T>(kind: Kind<T>, fallback: null, compose?: Compose): SettingRow<T | null>;
export function row<T>(kind: Kind<T>, fallback: string | null, compose = {}) {
  return { kind, fallback, compose };
}
