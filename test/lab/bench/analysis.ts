/** Measures what the analysis of an email costs, beside mailauth and rspamd. */

import { toMailauthResolver } from '../../../src/adapters/mailauth/dns-bridge.ts';
import { startDns } from '../../edge/crowd/dns.ts';
import { newSenderKey, senderZone } from '../../environment/sender.ts';
import { createAnalysis, RECIPIENT } from '../../support/mail/analysis.ts';
import { askZone, resolverOf } from '../conformance/zone-resolver.ts';
import type { Figure } from './figures.ts';
import { authenticateAlone } from './mailauth-alone.ts';
import { startRspamd } from './rspamd.ts';
import { KIB, MIB, SIZES, sizedMail, sizeName } from './sized-mail.ts';
import { alternate, compare } from './statistics.ts';

/** Bytes read between two readings of the processor clock, which is coarse. */
const BATCH_BYTES = 4 * MIB;
const MAX_BATCH = 40;

/** Emails of 10 KiB that each side reads first, because code is still being compiled until then. */
const WARM_MAILS = 2000;
const WARM_UPS = 2;
const ROUNDS = 11;

/** Largest multiple of mailauth's processor time, by the size of the email. */
const MOST: Readonly<Record<number, number>> = { [10 * KIB]: 4.5, [MIB]: 9 };

/** Largest multiple of rspamd's processor time, at each size. */
const MOST_OF_RSPAMD = 0.7;
const RSPAMD_SIZES = [10 * KIB, 100 * KIB, MIB];

/** Emails that a worker reads at once. */
const AT_ONCE = 8;

/** Returns the processor time per email in milliseconds, of all threads together. */
async function cpuOf(mails: number, run: () => Promise<unknown>, atOnce = 1): Promise<number> {
  const before = process.cpuUsage();
  await runAll(mails, run, atOnce);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / mails;
}

async function runAll(times: number, run: () => Promise<unknown>, atOnce: number): Promise<void> {
  let left = times;
  const runOn = async () => {
    while (left-- > 0) await run();
  };
  await Promise.all(Array.from({ length: atOnce }, runOn));
}

/**
 * Measures the cost of one analysis, from the bytes to the report, beside mailauth alone on the same email.
 * Both use the same zone in memory, so that no network is counted.
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

/**
 * Measures the analysis beside the distribution's rspamd, which queries a DNS server of its own for the same
 * zone. Returns no figures if rspamd is not installed.
 */
export async function benchRspamd(): Promise<readonly Figure[]> {
  await using stack = new AsyncDisposableStack();
  const key = newSenderKey();
  const zone = senderZone(key);
  const dns = await startDns();
  stack.defer(dns.stop);
  await dns.call('setZone', zone);
  const rspamd = await startRspamd(dns.address);
  if (!rspamd) return [];
  stack.defer(rspamd.stop);
  const ask = askZone(zone);
  const analysis = createAnalysis(() => resolverOf(ask));
  const usual = await sizedMail(10 * KIB, RECIPIENT, key);
  const judged = async (mails: number, mail: Buffer) => {
    const before = await rspamd.cpuMs();
    await runAll(mails, () => rspamd.check(mail), AT_ONCE);
    return ((await rspamd.cpuMs()) - before) / mails;
  };
  await cpuOf(WARM_MAILS, () => analysis.analyze(usual), AT_ONCE);
  await judged(MAX_BATCH, usual);

  const figures: Figure[] = [];
  for (const size of RSPAMD_SIZES) {
    const mail = await sizedMail(size, RECIPIENT, key);
    const mails = Math.max(8, Math.min(4 * MAX_BATCH, Math.round((4 * BATCH_BYTES) / mail.length)));
    const ours = () => cpuOf(mails, () => analysis.analyze(mail), AT_ONCE);
    const theirs = () => judged(mails, mail);
    await alternate(WARM_UPS, ours, theirs);
    figures.push({
      what: `CPU of one analysis, ${sizeName(size)}, beside rspamd`,
      unit: 'ms',
      ...compare(await alternate(ROUNDS, ours, theirs)),
      target: { most: MOST_OF_RSPAMD },
    });
  }
  return figures;
}
