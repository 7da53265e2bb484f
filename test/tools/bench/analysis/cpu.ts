import { toMailauthResolver } from '../../../../src/adapters/mailauth/dns-bridge.ts';
import { type SenderKey, senderZone } from '../../../environment/sender.ts';
import { askZone, resolverOf } from '../../conformance/zone-resolver.ts';
import type { Figure } from '../figures.ts';
import { authenticateAlone } from '../mailauth-alone.ts';
import { KIB, MIB, mailWithFile, SIZES, sizedMail, sizeName } from '../sized-mail.ts';
import { alternate, compare } from '../statistics.ts';
import { createAnalysis, RECIPIENT } from './analyze.ts';

/** Read between two looks at the clock of the processor, which is coarse. */
const BATCH_BYTES = 4 * MIB;
const MAX_BATCH = 40;

/** Mails of 10 KiB read by each side first: until then code is still being compiled. */
const WARM_MAILS = 2000;
const WARM_UPS = 2;
const ROUNDS = 11;

/** Of the yardstick, by the size of the mail. */
const MOST: ReadonlyMap<number, number> = new Map([
  [10 * KIB, 4.5],
  [MIB, 9],
]);

/** Mails that a worker reads at once. */
const AT_ONCE = 8;

/** Processor time of one mail in milliseconds, that of all threads together. */
async function cpuOf(mails: number, run: () => Promise<unknown>, atOnce = 1): Promise<number> {
  const before = process.cpuUsage();
  let left = mails;
  const readOn = async () => {
    while (left > 0) {
      left -= 1;
      await run();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, readOn));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / mails;
}

/**
 * What one analysis costs, from the bytes to the report, against mailauth alone on the same mail.
 * Both ask the same zone in memory, so that no network is counted.
 */
export async function measureCpu(key: SenderKey): Promise<Figure[]> {
  const ask = askZone(senderZone(key));
  const resolver = toMailauthResolver(ask);
  const analysis = createAnalysis(() => resolverOf(ask));

  async function measure(what: string, mail: Buffer): Promise<Figure> {
    const mails = Math.max(1, Math.min(MAX_BATCH, Math.round(BATCH_BYTES / mail.length)));
    const ours = () => cpuOf(mails, () => analysis.analyze(mail), AT_ONCE);
    const alone = () => cpuOf(mails, () => authenticateAlone(mail, resolver));
    await alternate(WARM_UPS, ours, alone);
    return { what, unit: 'ms', ...compare(await alternate(ROUNDS, ours, alone)) };
  }

  const usual = await sizedMail(10 * KIB, RECIPIENT, key);
  await cpuOf(WARM_MAILS, () => analysis.analyze(usual), AT_ONCE);
  await cpuOf(WARM_MAILS, () => authenticateAlone(usual, resolver));
  const figures: Figure[] = [];
  for (const size of SIZES) {
    const what = `CPU of one analysis, ${sizeName(size)} of text and HTML`;
    const figure = await measure(what, await sizedMail(size, RECIPIENT, key));
    const most = MOST.get(size);
    figures.push(most === undefined ? figure : { ...figure, target: { most } });
  }
  const mail = await mailWithFile(MIB, RECIPIENT, key);
  figures.push(await measure(`CPU of one analysis, ${sizeName(MIB)} with a file`, mail));
  return figures;
}
