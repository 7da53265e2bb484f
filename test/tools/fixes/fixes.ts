import { startWholeEnvironment } from '../../analysis/whole/environment.ts';
import { judgeDkim } from './dkim.ts';
import { dkimSetups } from './dkim-setups.ts';
import { dmarcSetups, judgeDmarcSetup } from './dmarc.ts';
import { mailSetups } from './mail-setups.ts';
import { judgeMail } from './mails.ts';
import { judgePlatform, platformSetups } from './platforms.ts';
import { judgeSpf } from './spf.ts';
import { spfSetups } from './spf-setups.ts';

/** Judges each set-up and prints what is wrong with its fixes; gives how many are at fault. */
async function judgeAll<S extends { readonly name: string }>(
  what: string,
  setups: readonly S[],
  judge: (setup: S) => readonly string[] | Promise<readonly string[]>,
): Promise<number> {
  let exceptions = 0;
  for (const setup of setups) {
    const faults = await judge(setup);
    exceptions += Number(faults.length > 0);
    for (const fault of faults) console.log(`${what}, ${setup.name}: ${fault}`);
  }
  console.log(`${setups.length} set-ups of ${what}, ${exceptions} exceptions`);
  return exceptions;
}

/**
 * `npm run fixes`: applies the actions of fixes to mutated set-ups and judges what comes of it.
 * Resolves to the exit code: 1 when a fix does harm or does not help.
 */
export async function runFixes(): Promise<number> {
  const environment = await startWholeEnvironment();
  const exceptions =
    (await judgeAll('SPF', spfSetups, judgeSpf)) +
    (await judgeAll('DMARC', dmarcSetups, judgeDmarcSetup)) +
    (await judgeAll('DKIM', dkimSetups, (one) => judgeDkim(one, environment))) +
    (await judgeAll('whole mails', mailSetups, (one) => judgeMail(one, environment))) +
    (await judgeAll('platforms', platformSetups, judgePlatform));
  await environment.stop();
  return exceptions === 0 ? 0 : 1;
}
