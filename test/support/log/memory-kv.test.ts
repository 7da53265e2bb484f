/** Tests the key-value buckets in memory. */

import { describeViews } from '../../contracts/views.ts';
import { memoryClaims, memoryProjection } from './memory-kv.ts';

describeViews('in memory', async () => {
  const views = memoryProjection<{ readonly seq: number; readonly text: string }>();
  const claims = memoryClaims();
  const both = [views, claims];
  return {
    views,
    claims,
    async goAway() {
      for (const one of both) one.disconnect();
    },
    async comeBack() {
      for (const one of both) one.reconnect();
    },
    end: async () => {},
  };
});
