import { setTimeout as sleep } from 'node:timers/promises';
import { createNewResolver } from '../../../../src/adapters/dns/resolver.ts';
import { freePorts } from '../../../environment/free-ports.ts';
import { newSenderKey, senderZone } from '../../../environment/sender.ts';
import { createAnalysis, RECIPIENT } from '../analysis/analyze.ts';
import type { Figure } from '../figures.ts';
import { forkDns } from '../fork-dns.ts';
import { printFigures, readOptions } from '../print.ts';
import { KIB, MIB, sizedMail, sizeName } from '../sized-mail.ts';
import { alternate, compare } from '../statistics.ts';
import { type Filter, startRspamd, startSpamd } from './daemons.ts';

const USAGE = `npm run bench -- filters [--json FILE]

  --json FILE    write the figures there, too`;

/** Mails of 10 KiB read by each side first. */
const WARM_MAILS: Readonly<Record<string, number>> = { ours: 2000, rspamd: 100, spamd: 10 };
const ROUNDS = 5;

/** Of the first mail, a second apart. */
const MAX_TRIES = 120;

/** In one round, by the size of the mail: half a second at least, since a collection or a compilation takes 0.1. */
const MAILS: ReadonlyMap<number, Readonly<Record<string, number>>> = new Map([
  [10 * KIB, { rspamd: 200, spamd: 5 }],
  [MIB, { rspamd: 4, spamd: 1 }],
]);

/** Of rspamd's processor time; what spamd takes is shown. */
const MOST: ReadonlyMap<number, number> = new Map([
  [10 * KIB, 1],
  [MIB, 0.6],
]);

/** What the analysis costs against the filters that people run, on the same mails and the same DNS. */
export async function benchFilters(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (!options) {
    console.error(USAGE);
    return 2;
  }
  const key = newSenderKey();
  const dns = await forkDns(senderZone(key));
  const analysis = createAnalysis(createNewResolver({ servers: [dns.address] }));
  const figures: Figure[] = [];
  try {
    const usual = await sizedMail(10 * KIB, RECIPIENT, key);
    for (let n = 0; n < (WARM_MAILS.ours ?? 0); n += 1) await analysis.analyze(usual);
    for (const [name, start] of Object.entries({ rspamd: startRspamd, spamd: startSpamd })) {
      const [port = 0, other = 0] = await freePorts(2);
      const filter = await start(dns.address, [port, other], RECIPIENT);
      if (!filter) {
        console.log(
          `${name} is not installed (Debian: apt-get install ${name}); its rows are left out.`,
        );
        continue;
      }
      try {
        await untilReady(() => filter.scan(usual));
        for (let n = 0; n < (WARM_MAILS[name] ?? 0); n += 1) await filter.scan(usual);
        for (const [size, counts] of MAILS)
          figures.push(
            await measure(analysis.analyze, filter, {
              size,
              mail: await sizedMail(size, RECIPIENT, key),
              count: counts[name] ?? 1,
            }),
          );
      } finally {
        await filter.stop();
      }
    }
  } finally {
    dns.stop();
  }
  return printFigures(figures, options);
}

/** A daemon that listens may still be loading its rules, and hangs up. */
async function untilReady(scan: () => Promise<void>): Promise<void> {
  for (let left = MAX_TRIES; ; left -= 1) {
    try {
      return await scan();
    } catch (error) {
      if (left === 0) throw error;
      await sleep(1000);
    }
  }
}

async function measure(
  analyze: (mail: Buffer) => Promise<number>,
  filter: Filter,
  { size, mail, count }: { readonly size: number; readonly mail: Buffer; readonly count: number },
): Promise<Figure> {
  const each = async (cpuMs: () => number | Promise<number>, run: () => Promise<unknown>) => {
    const before = await cpuMs();
    for (let n = 0; n < count; n += 1) await run();
    return ((await cpuMs()) - before) / count;
  };
  const own = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  const pairs = await alternate(
    ROUNDS,
    () => each(own, () => analyze(mail)),
    () => each(filter.cpuMs, () => filter.scan(mail)),
  );
  const most = filter.name === 'rspamd' ? MOST.get(size) : undefined;
  return {
    what: `CPU of one analysis, ${sizeName(size)}, against ${filter.name}`,
    unit: 'ms',
    ...compare(pairs),
    ...(most !== undefined && { target: { most } }),
  };
}
