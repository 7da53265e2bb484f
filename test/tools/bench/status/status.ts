import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { startEnvironment } from '../../../environment/environment.ts';
import { startService } from '../../../environment/service-process.ts';
import type { Figure } from '../figures.ts';
import { printFigures, readOptions } from '../print.ts';
import { alternate, compare, type Pair } from '../statistics.ts';
import type { PlainAnswers } from './plain-child.ts';
import { type Answer, requestsASecond } from './polls.ts';

const USAGE = `npm run bench -- status [--json FILE]

  --json FILE    write the figures there, too`;

/** Live tests: three sizes, to show how it grows. The last is held. */
const TESTS = [200, 2000, 20_000] as const;
const HELD = 20_000;
const LEAST = { created: 0.55, polled: 0.95 };

const CONNECTIONS = 40;
const CREATED_A_ROUND = 2000;
/** Half a second: a single collection, or a neighbour on the core, must not decide a round. */
const POLLS_A_ROUND = 30_000;
const POLL_ROUNDS = 15;
const WARM_UPS = 2;

/** What an event of a new test takes, in bytes. */
const EVENT_BYTES = 330;

const plain = fileURLToPath(new URL('./plain-child.ts', import.meta.url));

/** Creating tests against bare publishes, and polling them against a bare route. */
export async function benchStatus(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (!options) {
    console.error(USAGE);
    return 2;
  }
  const { PATH, NATS_SERVER_BIN } = process.env;
  const environment = await startEnvironment({ PATH, NATS_SERVER_BIN });
  const service = await startService({ env: environment.env, onLog: () => {} });
  const child = fork(plain, [], { env: {}, serialization: 'advanced' });
  const nats = await connect(serverOf(environment.env.NATS_URL ?? ''));
  try {
    const port = Number(new URL(service.listening().http).port);
    const publish = await barePublish(nats);
    const paths: string[] = [];
    const onCreated = ({ body }: Answer) => {
      const { test_id } = JSON.parse(body) as { test_id: string };
      paths.push(`GET /v1/tests/${test_id}/status`);
    };
    const create = (count: number) => () =>
      requestsASecond(port, () => 'POST /v1/tests', {
        ...{ connections: CONNECTIONS, count, onAnswer: onCreated },
      });
    const pollOf = (at: number, polls = POLLS_A_ROUND) =>
      requestsASecond(at, (n) => paths[n % paths.length] ?? '', {
        ...{ connections: CONNECTIONS, count: polls },
      });

    await alternate(1, create(TESTS[0]), () => publish(TESTS[0]));
    const own = () => pollOf(port);
    let bare = own;
    const handOver = async () => {
      child.send(await answersOf(port, paths));
      const [plainPort] = (await once(child, 'message')) as [number];
      bare = () => pollOf(plainPort);
    };
    await handOver();
    await alternate(WARM_UPS, own, bare);

    const figures: Figure[] = [];
    for (const tests of TESTS) {
      const created: Pair[] = [];
      while (paths.length < tests) {
        const count = Math.min(CREATED_A_ROUND, tests - paths.length);
        created.push(...(await alternate(1, create(count), () => publish(count))));
      }
      if (created.length > 0)
        figures.push({
          what: `tests created, up to ${tests}`,
          unit: 'a second',
          ...compare(created),
          ...(tests === HELD && { target: { least: LEAST.created } }),
        });
      await handOver();
      figures.push({
        what: `status polls, of ${tests} tests`,
        unit: 'a second',
        ...compare(await alternate(POLL_ROUNDS, own, bare)),
        ...(tests === HELD && { target: { least: LEAST.polled } }),
      });
    }
    return await printFigures(figures, options);
  } finally {
    await nats.close();
    child.disconnect();
    await service.stop();
    await environment.stop();
  }
}

/** Of these Node decides by itself. */
const OWN = new Set(['date', 'connection', 'keep-alive', 'content-length']);

/** What the service answers to a poll of each: the yardstick says the same, header by header. */
async function answersOf(port: number, paths: readonly string[]): Promise<PlainAnswers> {
  const answers: Answer[] = [];
  await requestsASecond(port, (n) => paths[n] ?? '', {
    ...{ connections: CONNECTIONS, count: paths.length },
    onAnswer: (answer) => answers.push(answer),
  });
  const lines = answers[0]?.head.split('\r\n').slice(1) ?? [];
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const bodies = answers.map(({ body }): [string, string] => {
    const { test_id } = JSON.parse(body) as { test_id: string };
    return [test_id, body];
  });
  return {
    headers: Object.fromEntries(headers.filter(([name]) => !OWN.has(name))),
    bodies: new Map(bodies),
  };
}

/** Acknowledged messages a second on a stream of its own, each on a new subject as an event of a new test. */
async function barePublish(nats: Awaited<ReturnType<typeof connect>>) {
  const manager = await jetstreamManager(nats);
  await manager.streams.add({ name: 'BENCH', subjects: ['bench.*'] });
  const js = jetstream(nats);
  const body = 'x'.repeat(EVENT_BYTES);
  let last = 0;
  return async (count: number): Promise<number> => {
    let left = count;
    const begin = performance.now();
    const publisher = async () => {
      for (; left > 0; ) {
        left -= 1;
        last += 1;
        await js.publish(`bench.${last}`, body, { expect: { lastSubjectSequence: 0 } });
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, publisher));
    return (count / (performance.now() - begin)) * 1000;
  };
}

function serverOf(url: string) {
  const { host, username } = new URL(url);
  return { servers: host, token: username };
}
