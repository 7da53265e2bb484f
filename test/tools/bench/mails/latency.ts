import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SENDER } from '../../../environment/sender.ts';
import type { Test } from '../../mta/bench.ts';
import type { Figure } from '../figures.ts';
import { KIB, SIZES, sizedMail, sizeName } from '../sized-mail.ts';
import { quantile } from '../statistics.ts';
import { ask } from '../status/polls.ts';
import type { MailEnvironment } from './environment.ts';
import { asContent, openTransaction } from './transaction.ts';

const WARM_UPS = 20;
const MAX_MAILS = 100;
const ALL_BYTES = 16 * 1024 * KIB;

/** Between two polls, in milliseconds: more would take the time of the service. */
const POLL_MS = 1;

/** A mail of a usual size, in milliseconds. */
const HELD_BYTES = 10 * KIB;
const MOST_MS: Readonly<Record<string, number>> = { p50: 20, p99: 40 };

/** Whoever sends and polls is written by hand: it shares the processors with what is measured. */
async function openPolls(environment: MailEnvironment) {
  const { port } = new URL(environment.statusUrl({ test_id: '', address: '', read_token: '' }));
  const socket = connect(Number(port), '127.0.0.1').setNoDelay();
  await once(socket, 'connect');
  return {
    async status({ test_id }: Test): Promise<string> {
      const path = `/v1/tests/${test_id}/status`;
      const { body } = await ask(socket, `GET ${path} HTTP/1.1\r\nhost: localhost\r\n`);
      return (JSON.parse(body) as { status: string }).status;
    },
    close: () => void socket.destroy(),
  };
}

type Polls = Awaited<ReturnType<typeof openPolls>>;

/** From the last bytes of the mail, as the client hands them over, to the poll that says `ready`. */
async function timeOf(
  content: Buffer,
  { create, via }: MailEnvironment,
  { status }: Polls,
): Promise<number> {
  const test = await create();
  const session = await openTransaction(via, { from: SENDER.domain, to: test.address });
  try {
    const begin = performance.now();
    session.write(content);
    let reply = '';
    const answered = session.reply().then((text) => {
      reply = text;
    });
    while ((await status(test)) !== 'ready') {
      if (/^[45]/.test(reply)) throw new Error(`A mail was answered ${reply}`);
      await sleep(POLL_MS);
    }
    const took = performance.now() - begin;
    await answered;
    return took;
  } finally {
    session.vanish();
  }
}

/** How long a sender who polls waits for `ready`, one mail at a time. */
export async function measureLatency(environment: MailEnvironment): Promise<Figure[]> {
  const figures: Figure[] = [];
  const polls = await openPolls(environment);
  for (const size of SIZES) {
    const content = asContent(await sizedMail(size, 'anybody@in.example.net', environment.key));
    const took: number[] = [];
    const count = Math.min(MAX_MAILS, Math.round(ALL_BYTES / size));
    const next = () => timeOf(content, environment, polls);
    for (let n = 0; n < WARM_UPS; n += 1) await next();
    while (took.length < count) took.push(await next());
    for (const [name, most] of Object.entries(MOST_MS))
      figures.push({
        what: `last byte to ready, ${sizeName(size)}, ${name}`,
        value: quantile(took, Number(name.slice(1)) / 100),
        unit: 'ms',
        ...(size === HELD_BYTES && { target: { most } }),
      });
  }
  polls.close();
  return figures;
}
