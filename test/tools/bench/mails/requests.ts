import type { Test } from '../../mta/bench.ts';
import type { Figure } from '../figures.ts';
import { KIB, sizedMail } from '../sized-mail.ts';
import { deliver } from './deliver.ts';
import type { MailEnvironment } from './environment.ts';

const WARM_UPS = 20;

/** Two runs: what the larger one costs more is its mails', and not what any run costs. */
const FEW = 50;
const MANY = 450;

/** Mails under way at a time: a client waits for its greeting most of the time. */
const AT_ONCE = 16;
const MOST = 5;

/** What arrives at the server without a mail: pulls, heartbeats, and the clock's questions. */
const QUIET_MS = 5000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** As exact as it is: a dozen messages that come by the clock fall into one run or the other. */
const toTenth = (value: number) => Math.round(value * 10) / 10;

/**
 * Requests to NATS a mail, by the server's own count of what it got from the service, less what it
 * gets in the same time without mails.
 */
export async function measureRequests(environment: MailEnvironment): Promise<Figure[]> {
  const mail = await sizedMail(10 * KIB, 'anybody@in.example.net', environment.key);
  const count = async (during: () => Promise<unknown>) => {
    const [before, begun] = [await environment.natsInMessages(), performance.now()];
    await during();
    const messages = (await environment.natsInMessages()) - before;
    return { messages, ms: performance.now() - begun };
  };
  const send = async (mails: number) => {
    const tests: Test[] = [];
    while (tests.length < mails) tests.push(await environment.create());
    await pause(QUIET_MS / 5);
    return count(async () => {
      const sender = async () => {
        for (let test = tests.pop(); test; test = tests.pop())
          await deliver(mail, test.address, environment.via);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, sender));
      // The views are written after the reply.
      await pause(QUIET_MS / 5);
    });
  };
  await send(WARM_UPS);
  // Until the marks of how far the log has come are written.
  await pause(2 * QUIET_MS);
  const quiet = await count(() => pause(QUIET_MS));
  const requestsOf = async (mails: number) => {
    const { messages, ms } = await send(mails);
    return messages - (quiet.messages / quiet.ms) * ms;
  };
  const few = await requestsOf(FEW);
  const aMail = ((await requestsOf(MANY)) - few) / (MANY - FEW);
  return [
    {
      what: 'requests to NATS a mail',
      value: toTenth(aMail),
      unit: 'requests',
      target: { most: MOST },
    },
    {
      what: `a run of ${FEW} mails, beyond or below that`,
      value: Math.round(few - FEW * aMail),
      unit: 'requests',
    },
  ];
}
