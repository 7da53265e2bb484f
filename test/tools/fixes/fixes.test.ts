import { expect, test } from 'vitest';
import { dmarcSetups, judgeDmarcSetup } from './dmarc.ts';
import { judgePlatform, platformSetups } from './platforms.ts';
import { judgeSpf } from './spf.ts';
import { spfSetups } from './spf-setups.ts';

/** By a step without a divisor in common with the choices, so that each of them is met. */
const some = <S>(setups: readonly S[], step: number): readonly S[] =>
  setups.filter((_, n) => n % step === 0);

test.each(some(spfSetups, 7))('the fixes of SPF, $name', async (setup) => {
  expect(await judgeSpf(setup)).toEqual([]);
});

test.each(some(dmarcSetups, 3))('the fixes of DMARC, $name', async (setup) => {
  expect(await judgeDmarcSetup(setup)).toEqual([]);
});

test.each(platformSetups)('no fix changes a zone of the platform: $name', (setup) => {
  expect(judgePlatform(setup)).toEqual([]);
});
