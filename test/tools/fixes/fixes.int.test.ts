import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWholeEnvironment, type WholeEnvironment } from '../../analysis/whole/environment.ts';
import { judgeDkim } from './dkim.ts';
import { dkimSetups } from './dkim-setups.ts';
import { mailSetups } from './mail-setups.ts';
import { judgeMail } from './mails.ts';

let environment: WholeEnvironment;
beforeAll(async () => {
  environment = await startWholeEnvironment();
});
afterAll(() => environment.stop());

const some = <S>(setups: readonly S[], step: number): readonly S[] =>
  setups.filter((_, n) => n % step === 0);

test.each(some(dkimSetups, 11))('the fixes of DKIM, $name', async (setup) => {
  expect(await judgeDkim(setup, environment)).toEqual([]);
});

test.each(some(mailSetups, 3))('the fixes of a mail, $name', async (setup) => {
  expect(await judgeMail(setup, environment)).toEqual([]);
});
