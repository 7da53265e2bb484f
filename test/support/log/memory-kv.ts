/**
 * Key-value buckets in memory, for views and for payment claims, which behave like those on the server and
 * can be made unavailable.
 */

import { ServiceError } from '../../../src/domain/errors.ts';
import type { Claim } from '../../../src/domain/payment-events.ts';
import {
  type ClaimStore,
  type Claims,
  isEncoded,
  type Projected,
  type Projection,
} from '../../../src/ports/log.ts';

/** The faults that both buckets can be told to have. */
interface Switches {
  /** Makes every call reject until `reconnect`. */
  disconnect(): void;
  reconnect(): void;
}

interface Entry {
  readonly revision: number;
  readonly operation: 'PUT' | 'PURGE';
  readonly text: string;
}

export interface MemoryProjection<V extends Projected> extends Projection<V>, Switches {
  /** Returns what is now stored, by key. */
  all(): ReadonlyMap<string, V>;
}

/** Creates a bucket with revisions and markers, in which racing writers meet as they do on the server. */
export function memoryProjection<V extends Projected>(): MemoryProjection<V> {
  const { reach, ...switches } = connection();
  const entries = new Map<string, Entry>();
  let revision = 0;

  const toValue = (entry: Entry | undefined): V | undefined =>
    entry?.operation === 'PUT' ? JSON.parse(entry.text) : undefined;

  return {
    ...switches,
    async get(key) {
      await reach();
      return toValue(entries.get(key));
    },
    async has(key) {
      await reach();
      return entries.get(key)?.operation === 'PUT';
    },
    async put(key, value) {
      for (;;) {
        await reach();
        const entry = entries.get(key);
        const there = toValue(entry);
        if (there && there.seq >= value.seq) return 'skipped';
        await reach();
        if (entries.get(key) !== entry) continue;
        entries.set(key, {
          revision: ++revision,
          operation: 'PUT',
          text: isEncoded(value) ? new TextDecoder().decode(value.json) : JSON.stringify(value),
        });
        return 'written';
      }
    },
    async erase(key) {
      await reach();
      if (entries.has(key))
        entries.set(key, { revision: ++revision, operation: 'PURGE', text: '' });
    },
    async keys() {
      await reach();
      return [...entries].flatMap(([key, { operation }]) => (operation === 'PUT' ? key : []));
    },
    async scan(onValue) {
      await reach();
      for (const [key, entry] of entries) {
        const value = toValue(entry);
        if (value) onValue(key, value);
      }
    },
    all() {
      const values = [...entries].map(([key, entry]) => [key, toValue(entry)] as const);
      return new Map(values.flatMap(([key, value]) => (value ? [[key, value]] : [])));
    },
  };
}

export interface MemoryClaims extends Claims, Switches {
  all(): ReadonlyMap<string, Claim>;
  /** The claims as an operator sees them. */
  readonly store: ClaimStore;
}

/** Creates claims, which are created if absent and never changed. */
export function memoryClaims(): MemoryClaims {
  const { reach, ...switches } = connection();
  const claims = new Map<string, Claim>();
  return {
    ...switches,
    async claim(key, claim) {
      await reach();
      const owner = claims.get(key) ?? structuredClone(claim);
      claims.set(key, owner);
      return owner;
    },
    async owner(key) {
      await reach();
      return claims.get(key);
    },
    all: () => claims,
    store: {
      all: async () => claims,
      async add(key, claim) {
        if (claims.has(key)) return 'lost';
        claims.set(key, claim);
        return 'stored';
      },
    },
  };
}

function connection() {
  let connected = true;
  return {
    /** Waits for one turn of the loop, as the network would. */
    async reach(): Promise<void> {
      await Promise.resolve();
      if (!connected) throw new ServiceError('log_unavailable');
    },
    disconnect() {
      connected = false;
    },
    reconnect() {
      connected = true;
    },
  };
}
