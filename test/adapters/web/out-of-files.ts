/** Fetches a file in a process that has no file descriptor left, and prints what became of it. */

import { openSync } from 'node:fs';
import { createGuardedFetch } from '../../../src/adapters/web/guarded-fetch.ts';
import type { Resolver } from '../../../src/ports/dns.ts';

try {
  for (;;) openSync('/dev/null', 'r');
} catch {
  let starved = false;
  const resolver = {
    starve: () => {
      starved = true;
    },
  } as unknown as Resolver;
  const override = { connect: '127.0.0.1', port: 9, ca: '' };
  const file = await createGuardedFetch({ override })('https://192.0.2.1/policy', {
    maxBytes: 1000,
    resolver,
  });
  process.stdout.write(JSON.stringify({ starved, status: file.status }));
}
