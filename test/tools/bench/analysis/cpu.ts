import { type SenderKey, senderZone } from '../../../environment/sender.ts';
import { mailauthResolver } from '../../../support/mail/mailauth-spf.ts';
import { askZone, resolverOf } from '../../conformance/zone-resolver.ts';
import type { Figure } from '../figures.ts';
import { authenticateAlone } from '../mailauth-alone.ts';
import { KIB, MIB, mailWithFile, SIZES, sizedMail, sizeName } from '../sized-mail.ts';
import { alternate, compare } from '../statistics.ts';
import { createAnalysis, RECIPIENT } from './analyze.ts';

/** Read between two looks at the clock of the processor, which is coarse. */
const BATCH_BYTES = 4 * MIB;
const MAX_BATCH = 40;

/** Until then code is still being compiled, and what is used most comes last. */
const WARM_UPS = 4;
const ROUNDS = 11;

/** A mail of a usual size. */
const HELD_BYTES = 10 * KIB;
const MOST = 2.5;

/** Processor time of one mail in milliseconds, that of all threads together. */
async function cpuOf(mails: number, run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let mail = 0; mail < mails; mail += 1) await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / mails;
}

/**
 * What one analysis costs, from the bytes to the report, against mailauth alone on the same mail.
 * Both ask the same zone in memory, so that no network is counted.
 */
export async function measureCpu(key: SenderKey): Promise<Figure[]> {
  const ask = askZone(senderZone(key));
  const resolver = mailauthResolver(ask);
  const analysis = createAnalysis(() => resolverOf(ask));

  async function measure(what: string, mail: Buffer): Promise<Figure> {
    const mails = Math.max(1, Math.min(MAX_BATCH, Math.round(BATCH_BYTES / mail.length)));
    const ours = () => cpuOf(mails, () => analysis.analyze(mail));
    const alone = () => cpuOf(mails, () => authenticateAlone(mail, resolver));
    await alternate(WARM_UPS, ours, alone);
    return { what, unit: 'ms', ...compare(await alternate(ROUNDS, ours, alone)) };
  }

  try {
    const figures: Figure[] = [];
    for (const size of SIZES) {
      const what = `CPU of one analysis, ${sizeName(size)} of text and HTML`;
      const figure = await measure(what, await sizedMail(size, RECIPIENT, key));
      figures.push(size === HELD_BYTES ? { ...figure, target: { most: MOST } } : figure);
    }
    const mail = await mailWithFile(MIB, RECIPIENT, key);
    figures.push(await measure(`CPU of one analysis, ${sizeName(MIB)} with a file`, mail));
    return figures;
  } finally {
    await analysis.stop();
  }
}
