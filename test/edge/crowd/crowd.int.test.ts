/** Plays each crowd of attackers against the service, and checks that honest clients are served. */

import { afterAll, describe, expect, test } from 'vitest';
import { timeout } from '../row.ts';
import { faultsOf } from './measure.ts';
import { crowds } from './rows.ts';
import { startTarget, type Target } from './target.ts';

describe.each(['free', 'tight', 'sells'] as const)('a service that is %s', (service) => {
  let target: Promise<Target> | undefined;
  afterAll(async () => (await target)?.stop());

  const rows = crowds.filter((crowd) => (crowd.service ?? 'free') === service);
  for (const crowd of rows)
    test(`${crowd.name}: honest clients are served`, timeout, async () => {
      target ??= startTarget(service);
      expect(await faultsOf(crowd, await target)).toEqual([]);
    });
});
