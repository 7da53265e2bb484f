import { toMailauthResolver } from '../../../src/adapters/mailauth/dns-bridge.ts';
import { newSenderKey, senderZone } from '../../environment/sender.ts';
import { createAnalysis, RECIPIENT } from '../../support/mail/analysis.ts';
import { askZone, resolverOf } from '../conformance/zone-resolver.ts';
import type { Figure } from './figures.ts';
import { authenticateAlone } from './mailauth-alone.ts';
import { KIB, MIB, SIZES, sizedMail, sizeName } from './sized-mail.ts';
import { alternate, compare } from './statistics.ts';

/** Read between two looks at the clock of the processor, which is coarse. */
const BATCH_BYTES = 4 * MIB;
const MAX_BATCH = 40;

/** Mails of 10 KiB read by each side first: until then code is still being compiled. */
const WARM_MAILS = 2000;
const WARM_UPS = 2;
const ROUNDS = 11;

/** Of the yardstick, by the size of the mail. */
const MOST: Readonly<Record<number, number>> = { [10 * KIB]: 4.5, [MIB]: 9 };

/** Mails that a worker reads at once. */
const AT_ONCE = 8;

/** Processor time of one mail in milliseconds, that of all threads together. */
async function cpuOf(mails: number, run: () => Promise<unknown>, atOnce = 1): Promise<number> {
  const before = process.cpuUsage();
  let left = mails;
  const readOn = async () => {
    while (left-- > 0) await run();
  };
  await Promise.all(Array.from({ length: atOnce }, readOn));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / mails;
}

/**
 * What one analysis costs, from the bytes to the report, beside mailauth alone on the same mail. Both
 * ask the same zone in memory, so that no network is counted.
 */
export async function benchAnalysis(): Promise<readonly Figure[]> {
  const key = newSenderKey();
  const ask = askZone(senderZone(key));
  const resolver = toMailauthResolver(ask);
  const analysis = createAnalysis(() => resolverOf(ask));
  const usual = await sizedMail(10 * KIB, RECIPIENT, key);
  await cpuOf(WARM_MAILS, () => analysis.analyze(usual), AT_ONCE);
  await cpuOf(WARM_MAILS, () => authenticateAlone(usual, resolver));

  const figures: Figure[] = [];
  for (const size of SIZES) {
    const mail = await sizedMail(size, RECIPIENT, key);
    const mails = Math.max(1, Math.min(MAX_BATCH, Math.round(BATCH_BYTES / mail.length)));
    const ours = () => cpuOf(mails, () => analysis.analyze(mail), AT_ONCE);
    const alone = () => cpuOf(mails, () => authenticateAlone(mail, resolver));
    await alternate(WARM_UPS, ours, alone);
    figures.push({
      what: `CPU of one analysis, ${sizeName(size)} of text and HTML`,
      unit: 'ms',
      ...compare(await alternate(ROUNDS, ours, alone)),
      target: { most: MOST[size] ?? 0 },
    });
  }
  return figures;
}
