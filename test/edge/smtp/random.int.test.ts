/** Tests the SMTP server with random sessions. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RelayRanges } from '../../../src/adapters/smtp/relays.ts';
import { ADDRESS, passing, refused } from '../../support/mail/mail-environment.ts';
import { smtpEnvironment } from '../../support/mail/smtp-environment.ts';
import { runs, timeout } from '../row.ts';
import { play } from './play.ts';
import { randomSession } from './random.ts';

const KIB = 1024;

/** Every fortieth email is accepted. Of the others, a third must be sent again, and the rest is refused. */
const gateOf = (mails: number) => {
  if (mails % 40 === 0) return passing;
  return { ...refused, resolverDown: mails % 3 === 0 };
};

/** Sessions that are played at the same time, because each waits 100 ms for its greeting. */
const sessions = fc.array(randomSession(ADDRESS), { minLength: 32, maxLength: 64 });

/** Ranges of clients that may name other clients, each by one command. */
const trusted = fc.constantFrom<RelayRanges>(
  { xclient: ['127.0.0.0/8'] },
  { xforward: ['127.0.0.0/8'] },
);

test(
  'random sessions for one test: each command gets its reply, the log contains what was said, and nothing remains',
  timeout,
  async () => {
    const hold = async (crowd: Parameters<typeof play>[1][], relays: RelayRanges) => {
      const environment = await smtpEnvironment({
        environment: { settings: { maxMessageBytes: 64 * KIB }, mailMemoryBytes: 8 * KIB * KIB },
        maxClients: 1000,
        relays,
        limits: { sweepMs: 50 },
      });
      const { inspection, mailBuffer } = environment;
      let gates = 0;
      inspection.gate = async () => gateOf(++gates);
      try {
        const played = await Promise.all(crowd.map((session) => play(environment.port, session)));
        await expect.poll(() => mailBuffer.bytes()).toBe(0);
        await expect.poll(() => inspection.begun.length - inspection.ended).toBe(0);
        const count = (...names: string[]) =>
          environment.types().filter((type) => names.includes(type)).length;
        const mails = played.reduce((sum, one) => sum + one.mails, 0);
        const analysed = played
          .flatMap(({ replies }) => replies)
          .filter((reply) => reply.startsWith('250 2.0.0 Your email was analysed'));
        expect(count('MailArrived', 'MailRefused')).toBeLessThanOrEqual(mails);
        expect(count('AnalysisDone')).toBeLessThanOrEqual(1);
        expect(analysed.length).toBeLessThanOrEqual(count('AnalysisDone'));
        expect(count('AnalysisDone')).toBeLessThanOrEqual(count('MailArrived'));
      } finally {
        await environment.stop();
      }
    };
    await fc.assert(fc.asyncProperty(sessions, trusted, hold), runs(10));
  },
);
