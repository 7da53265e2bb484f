import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMac } from '../../src/actors/receiver/mac.ts';

test('it is the HMAC-SHA-256 of the library, for every key up to a block and every division', () => {
  const key = fc.uint8Array({ maxLength: 64 });
  fc.assert(
    fc.property(key, fc.array(fc.uint8Array({ maxLength: 200 })), (own, chunks) => {
      const mac = createMac(own);
      const expected = createHmac('sha256', own);
      for (const chunk of chunks) {
        mac.update(chunk);
        expected.update(chunk);
      }
      expect(mac.digest()).toBe(expected.digest('hex'));
    }),
  );
});
