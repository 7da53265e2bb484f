import { startProbe } from '../../abuse/probe.ts';
import { hostileMails } from '../../hostile/mails.ts';
import { longestPause, send } from '../../hostile/through-service.ts';
import type { Figure } from '../figures.ts';
import { MIB } from '../sized-mail.ts';
import { median, quantile } from '../statistics.ts';
import type { MailEnvironment } from './environment.ts';

/** Below what the receiver takes. */
const LARGE_BYTES = 9 * MIB;

/** What would stop the service if it were read where requests are answered. */
const NAMES = ['a line without end', 'From with 40,000 addresses', '2,000 signatures'];

const WARM_UPS = 1;
const ROUNDS = 5;

/** In milliseconds. */
const MOST_PAUSE_MS = 50;

/** How long the event loop stands still while a hostile mail is read, and a poll beside it takes. */
export async function measureHostile(environment: MailEnvironment): Promise<Figure[]> {
  const { via, metrics } = environment;
  const mails = hostileMails(LARGE_BYTES);
  const probe = await startProbe(environment.statusUrl(await environment.create()));
  const figures: Figure[] = [];
  for (const name of NAMES) {
    const mail = mails[name]?.();
    if (!mail) throw new Error(`There is no hostile mail called ${name}.`);
    const pauses: number[] = [];
    const polls: number[] = [];
    for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
      const { address } = await environment.create();
      await longestPause(metrics);
      await probe.take();
      await send(mail, address, via);
      if (round < 0) continue;
      pauses.push(await longestPause(metrics));
      polls.push(...(await probe.take()));
    }
    figures.push(
      {
        what: `pause of the event loop, ${name}`,
        value: median(pauses),
        unit: 'ms',
        target: { most: MOST_PAUSE_MS },
      },
      { what: `  the worst of ${ROUNDS}`, value: Math.max(...pauses), unit: 'ms' },
      { what: '  a poll meanwhile, p99', value: quantile(polls, 0.99), unit: 'ms' },
    );
  }
  await probe.stop();
  return figures;
}
