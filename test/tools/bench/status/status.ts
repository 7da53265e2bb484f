import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { startEnvironment } from '../../../environment/environment.ts';
import { startService } from '../../../environment/service-process.ts';
import { printFigures, readOptions } from '../print.ts';
import { alternate, compare } from '../statistics.ts';
import { pollsASecond } from './polls.ts';

const USAGE = `npm run bench -- status [--json FILE]

  --json FILE    write the figures there, too`;

/** Live tests that are polled. */
const TESTS = 20_000;
const CREATE_ROUNDS = 10;
const CREATE_AT_ONCE = 40;
const POLLS = { connections: 40, polls: 8000 };
const POLL_ROUNDS = 7;

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
  const child = fork(plain, [], { env: {} });
  const nats = await connect(serverOf(environment.env.NATS_URL ?? ''));
  try {
    const { http } = service.listening();
    const ids: string[] = [];
    const create = async () => {
      const answer = await fetch(`${http}/v1/tests`, { method: 'POST' });
      ids.push(((await answer.json()) as { test_id: string }).test_id);
    };
    const publish = await barePublish(nats);
    const count = TESTS / CREATE_ROUNDS;
    const creating = () => pace(count, create);
    const publishing = () => pace(count, publish);
    await alternate(1, creating, publishing);
    const created = await alternate(CREATE_ROUNDS - 1, creating, publishing);

    const path = (id: string) => `/v1/tests/${id}/status`;
    child.send(await (await fetch(`${http}${path(ids[0] ?? '')}`)).text());
    const [plainPort] = (await once(child, 'message')) as [number];
    const paths = ids.map(path);
    const own = () => pollsASecond(Number(new URL(http).port), paths, POLLS);
    const bare = () => pollsASecond(plainPort, paths, POLLS);
    await alternate(2, own, bare);
    const polled = await alternate(POLL_ROUNDS, own, bare);
    return await printFigures(
      [
        { what: 'tests created', unit: 'a second', ...compare(created), target: { least: 0.7 } },
        { what: 'status polls', unit: 'a second', ...compare(polled), target: { least: 0.95 } },
      ],
      options,
    );
  } finally {
    await nats.close();
    child.disconnect();
    await service.stop();
    await environment.stop();
  }
}

/** Calls a second, so many at once. */
async function pace(count: number, call: () => Promise<unknown>): Promise<number> {
  let left = count;
  const begin = performance.now();
  const caller = async () => {
    for (; left > 0; ) {
      left -= 1;
      await call();
    }
  };
  await Promise.all(Array.from({ length: CREATE_AT_ONCE }, caller));
  return (count / (performance.now() - begin)) * 1000;
}

/** One acknowledged message on a stream of its own, each on a new subject as an event of a new test. */
async function barePublish(nats: Awaited<ReturnType<typeof connect>>) {
  const manager = await jetstreamManager(nats);
  await manager.streams.add({ name: 'BENCH', subjects: ['bench.*'] });
  const js = jetstream(nats);
  const body = 'x'.repeat(EVENT_BYTES);
  let last = 0;
  return async () => {
    last += 1;
    await js.publish(`bench.${last}`, body, { expect: { lastSubjectSequence: 0 } });
  };
}

function serverOf(url: string) {
  const { host, username } = new URL(url);
  return { servers: host, token: username };
}
