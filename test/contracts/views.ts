/**
 * Defines the tests that every implementation of the key-value buckets, for views and for payment claims,
 * must pass.
 */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Claims, Projected, Projection } from '../../src/ports/log.ts';

interface View extends Projected {
  readonly text: string;
}

/** The parts that a pair of buckets under test must provide. */
export interface ViewsHarness {
  readonly views: Projection<View>;
  readonly claims: Claims;
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  end(): Promise<void>;
}

/** Returns whether `value` has the form that this suite stores. */
export const isView = (value: unknown): value is View =>
  typeof value === 'object' && value !== null && 'seq' in value && 'text' in value;

const claim = (id: string) => ({
  id,
  at: '2026-11-20T10:00:00.000Z',
  by: 'replica-1',
  from_block: 7,
});

let lastKey = 0;

/** Tests the promises of `Projection` and `Claims`, which are the same for every adapter. */
export function describeViews(name: string, start: () => Promise<ViewsHarness>) {
  describe(`views and claims ${name}`, () => {
    let harness: ViewsHarness;
    let views: Projection<View>;
    let claims: Claims;
    let key: string;

    beforeAll(async () => {
      harness = await start();
      ({ views, claims } = harness);
    });
    beforeEach(() => {
      key = `key.${++lastKey}`;
    });
    afterAll(() => harness?.end());

    test('an absent key has no value and is not listed', async () => {
      expect(await views.get(key)).toBeUndefined();
      expect(await views.has(key)).toBe(false);
      expect(await views.keys()).not.toContain(key);
    });

    test('a value exists after it was written', async () => {
      expect(await views.put(key, { seq: 3, text: 'a' })).toBe('written');
      expect(await views.get(key)).toEqual({ seq: 3, text: 'a' });
      expect(await views.has(key)).toBe(true);
      expect(await views.has(`${key}x`)).toBe(false);
      expect(await views.keys()).toContain(key);
    });

    test('a value that was written, erased and written again exists', async () => {
      await views.put(key, { seq: 3, text: 'first' });
      await views.erase(key);
      expect(await views.put(key, { seq: 4, text: 'again' })).toBe('written');
      expect(await views.put(key, { seq: 5, text: 'more' })).toBe('written');
      expect(await views.get(key)).toEqual({ seq: 5, text: 'more' });
    });

    test.each([
      [2, 'skipped', 'old'],
      [3, 'skipped', 'old'],
      [4, 'written', 'new'],
    ])('writing sequence %i over 3 is %s', async (seq, answer, text) => {
      await views.put(key, { seq: 3, text: 'old' });
      expect(await views.put(key, { seq, text: 'new' })).toBe(answer);
      expect(await views.get(key)).toMatchObject({ text });
    });

    test('an erased value is gone, and may be erased and written again', async () => {
      await views.put(key, { seq: 3, text: 'a' });
      await views.erase(key);
      await views.erase(key);
      expect(await views.get(key)).toBeUndefined();
      expect(await views.has(key)).toBe(false);
      expect(await views.keys()).not.toContain(key);
      expect(await views.put(key, { seq: 1, text: 'b' })).toBe('written');
      expect(await views.get(key)).toEqual({ seq: 1, text: 'b' });
    });

    test('racing projectors leave the newest, and the sequence number never goes back', async () => {
      const seqs = Array.from({ length: 40 }, (_, n) => ((n * 17) % 40) + 1);
      const seen: number[] = [];
      const puts = Promise.all(seqs.map((seq) => views.put(key, { seq, text: `${seq}` })));
      let done = false;
      const watching = (async () => {
        while (!done) seen.push((await views.get(key))?.seq ?? 0);
      })();
      await puts;
      done = true;
      await watching;
      expect(await views.get(key)).toEqual({ seq: 40, text: '40' });
      expect(seen).toEqual([...seen].sort((a, b) => a - b));
    });

    test('racing claims have one owner, and everyone is told the same', async () => {
      const owners = await Promise.all(
        Array.from({ length: 30 }, (_, n) => claims.claim(key, claim(`test${n}`))),
      );
      expect(new Set(owners.map(({ id }) => id)).size).toBe(1);
      expect(await claims.owner(key)).toEqual(owners[0]);
    });

    test('a claim is never changed', async () => {
      expect(await claims.owner(key)).toBeUndefined();
      expect(await claims.claim(key, claim('first'))).toEqual(claim('first'));
      expect(await claims.claim(key, claim('second'))).toEqual(claim('first'));
      expect(await claims.claim(key, claim('first'))).toEqual(claim('first'));
    });

    test('anything that cannot be reached is reported as unavailable', async () => {
      await harness.goAway();
      const unavailable = { name: 'ServiceError', code: 'log_unavailable' };
      await Promise.all([
        expect(views.get(key)).rejects.toMatchObject(unavailable),
        expect(views.put(key, { seq: 1, text: 'a' })).rejects.toMatchObject(unavailable),
        expect(views.erase(key)).rejects.toMatchObject(unavailable),
        expect(views.keys()).rejects.toMatchObject(unavailable),
        expect(claims.claim(key, claim('first'))).rejects.toMatchObject(unavailable),
        expect(claims.owner(key)).rejects.toMatchObject(unavailable),
      ]);
      await harness.comeBack();
      const owner = await claims.claim(key, claim('second'));
      expect(await claims.owner(key)).toEqual(owner);
    });
  });
}
