import { startProbe } from '../../abuse/probe.ts';
import type { Figure } from '../figures.ts';
import { KIB, sizedMail } from '../sized-mail.ts';
import { alternate, compare, quantile } from '../statistics.ts';
import { deliver } from './deliver.ts';
import type { MailEnvironment } from './environment.ts';

/** Mails a second; the last is held. */
const RATES = [5, 20, 50] as const;
const HELD = 50;
const MOST = 3;

const ROUND_MS = 8000;
const ROUNDS = 3;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** How long a poll takes while mails are analysed, against the same poll when there are none. */
export async function measurePolls(environment: MailEnvironment): Promise<Figure[]> {
  const mail = await sizedMail(10 * KIB, 'anybody@in.example.net', environment.key);
  const probe = await startProbe(environment.statusUrl(await environment.create()));
  const p99 = async () => quantile(await probe.take(), 0.99);
  const calm = async () => {
    await probe.take();
    await pause(ROUND_MS);
    return p99();
  };
  const beside = (aSecond: number) => async () => {
    const count = (aSecond * ROUND_MS) / 1000;
    const tests = await Promise.all(Array.from({ length: count }, environment.create));
    await probe.take();
    const sent = tests.map(async ({ address }, n) => {
      await pause((n * 1000) / aSecond);
      await deliver(mail, address, environment.via);
    });
    await Promise.all(sent);
    return p99();
  };
  const figures: Figure[] = [];
  for (const aSecond of RATES)
    figures.push({
      what: `a poll beside ${aSecond} mails a second, p99`,
      unit: 'ms',
      ...compare(await alternate(ROUNDS, beside(aSecond), calm)),
      ...(aSecond === HELD && { target: { most: MOST } }),
    });
  await probe.stop();
  return figures;
}
