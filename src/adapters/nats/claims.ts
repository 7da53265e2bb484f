import type { Claim, Claims } from '../../ports/log.ts';
import { openBucket } from './bucket.ts';
import type { LogConnection } from './connection.ts';
import { reach } from './outage.ts';

/** Which report an authorization pays for. A claim whose answer was lost is read back. */
export function kvClaims(connection: LogConnection): Claims {
  const bucket = openBucket(connection, 'payment_claims');

  async function owner(key: string): Promise<Claim | undefined> {
    const there = await bucket.get(key);
    if (!there) return undefined;
    if (!isClaim(there.value)) throw new Error('A stored claim cannot be read.');
    return there.value;
  }

  async function claimOnce(key: string, claim: Claim): Promise<Claim> {
    for (;;) {
      const there = await owner(key);
      if (there) return there;
      if ((await bucket.put(key, claim, undefined)) === 'stored') return claim;
    }
  }

  return { owner, claim: (key, claim) => reach(() => claimOnce(key, claim)) };
}

const isClaim = (value: unknown): value is Claim =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'at' in value &&
  typeof value.at === 'string' &&
  'by' in value &&
  typeof value.by === 'string' &&
  'from_block' in value &&
  typeof value.from_block === 'number';
