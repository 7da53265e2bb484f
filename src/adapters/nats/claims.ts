import { type Claim, isClaim } from '../../domain/payment-events.ts';
import type { ClaimStore, Claims } from '../../ports/log.ts';
import { openBucket } from './bucket.ts';
import type { LogConnection } from './connection.ts';
import { codeOf, codes } from './outage.ts';

/**
 * Stores in a NATS bucket which report an authorization pays for, and reads and lists these claims. A claim
 * whose response was lost is read back.
 */
export function kvClaims(connection: LogConnection): Claims & ClaimStore {
  const bucket = openBucket(connection, 'payment_claims');

  async function owner(key: string): Promise<Claim | undefined> {
    const there = await bucket.get(key);
    if (!there) return undefined;
    if (!isClaim(there.value)) throw new Error('A stored claim cannot be read.');
    return there.value;
  }

  async function claimOnce(key: string, claim: Claim): Promise<Claim> {
    for (;;) {
      if ((await bucket.put(key, claim, undefined)) !== 'lost') return claim;
      const there = await owner(key);
      if (there) return there;
    }
  }

  return {
    owner,
    claim: (key, claim) => connection.reach(() => claimOnce(key, claim)),
    async all() {
      const claims = new Map<string, Claim>();
      const add = (key: string, value: unknown) => void (isClaim(value) && claims.set(key, value));
      await bucket.scan(add).catch((error: unknown) => {
        if (codeOf(error) !== codes.streamNotFound) throw error;
      });
      return claims;
    },
    async add(key, claim) {
      const revision = await connection.reach(() => bucket.put(key, claim, undefined));
      return revision === 'lost' ? 'lost' : 'stored';
    },
  };
}
