import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { connectNats } from '../../../../src/adapters/nats/connection.ts';
import { createStreams } from '../../../../src/adapters/nats/streams.ts';
import { freePorts } from '../../../environment/free-ports.ts';
import { natsProcess } from '../../../environment/server-process.ts';
import type { Figure } from '../figures.ts';
import { printFigures } from '../print.ts';
import { alternate, compare, median } from '../statistics.ts';
import { fill } from './fill.ts';
import { measureAppends, measureCatchUp, measureReading } from './measure.ts';

const USAGE = `npm run bench -- log [--tests N] [--json FILE]

  --tests N      live tests in the stream (1000000), after a hundredth and a tenth of them
  --json FILE    write the figures there, too`;

/** Of the whole: three sizes, to show how it grows. */
const SHARES = [0.01, 0.1, 1] as const;

/** Of the speed of a bare consumer; and bytes of heap a live test. */
const LEAST_CATCH_UP = 0.6;
const MOST_HEAP = 400;

const GIB = 2 ** 30;

/** Catch-ups, each beside a bare consumer: one alone varies by a tenth. */
const CATCH_UPS = 3;

/** Appends that are measured on each of the two streams. */
const APPENDS = 2000;

const settings = {
  receiveWindowSeconds: 3600,
  retentionSeconds: 86_400,
  testsMaxBytes: 8 * GIB,
  reportsMaxBytes: GIB,
  paymentsMaxBytes: GIB,
};

const cli = fileURLToPath(new URL('../../../../src/cli.ts', import.meta.url));

const print = (text: string) => void process.stderr.write(`${text}\n`);
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
const milliseconds = (one: number) => `${one.toFixed(2)} ms`;

/** What many live tests cost: catch-up, memory, appends, replay. Resolves to the exit code. */
export async function benchLog(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  const bin = process.env.NATS_SERVER_BIN;
  if (!options || !bin) {
    print(options ? 'NATS_SERVER_BIN is not set: start with `npm run bench`.' : USAGE);
    return 2;
  }
  const figures: Figure[] = [];
  for (const share of SHARES) {
    const tests = Math.ceil(share * options.tests);
    figures.push(...(await measureWith(bin, tests, share === 1)));
  }
  return printFigures(figures, options);
}

/** With so many live tests on a server of their own. */
async function measureWith(bin: string, tests: number, isHeld: boolean): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'deliverability-bench-'));
  const [port = 0] = await freePorts(1);
  const url = `nats://127.0.0.1:${port}`;
  const configFile = join(folder, 'server.conf');
  const configure = (sync: string) =>
    writeFile(
      configFile,
      `listen: "127.0.0.1:${port}"\njetstream { store_dir: ${JSON.stringify(join(folder, 'store'))}, sync_interval: ${sync} }\n`,
    );
  const server = natsProcess({ bin, configFile, pidFile: join(folder, 'pid') });
  try {
    // The filling is no measurement: it need not wait for the disk.
    await configure('2m');
    await server.start();
    const events = await fillStream(url, tests);
    await server.stop();
    await configure('always');
    await server.start();
    return await measure(url, events, isHeld);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function fillStream(url: string, tests: number): Promise<number> {
  const connection = await connectNats({ url, name: 'bench' });
  await createStreams(connection, settings);
  const { config: like } = await connection.jsm.streams.info('TESTS');
  await connection.jsm.streams.add({ ...like, name: 'EMPTY', subjects: ['empty.*'] });
  print(`Filling TESTS with ${tests} tests …`);
  const start = performance.now();
  const events = await fill(connection, tests);
  const took = performance.now() - start;
  print(`${events} events in ${seconds(took)}: ${Math.round((events / took) * 1000)} a second.`);
  await connection.close();
  return events;
}

async function measure(url: string, events: number, isHeld: boolean): Promise<Figure[]> {
  const connection = await connectNats({ url, name: 'bench' });
  const aSecond = (ms: number) => (events / ms) * 1000;
  const caughtUp: Awaited<ReturnType<typeof measureCatchUp>>[] = [];
  const pairs = await alternate(
    CATCH_UPS,
    async () => {
      const one = await measureCatchUp(connection);
      caughtUp.push(one);
      return aSecond(one.catchUpMs);
    },
    async () => aSecond(await measureReading(connection, events)),
  );
  const speed = compare(pairs);
  const live = caughtUp[0]?.live ?? 0;
  const bytesOf = (name: 'heapBytes' | 'externalBytes') =>
    Math.round(median(caughtUp.map((one) => one[name])) / live);
  const { full, empty } = await measureAppends(connection, APPENDS);
  await connection.close();
  const replay = isHeld ? await replayState(url) : 'not run';

  console.log(`live tests               ${live}, ${events} events
an ordered consumer      ${Math.round(speed.yardstick)} events a second, with JSON.parse alone
catch-up into rows       ${Math.round(speed.value)} events a second, ${speed.ratio.toFixed(2)} of that speed
heap a live test         ${bytesOf('heapBytes')} B, with its deadline; ${bytesOf('externalBytes')} B beside the heap
append, full stream      p50 ${milliseconds(full.p50)}, p99 ${milliseconds(full.p99)}
append, empty stream     p50 ${milliseconds(empty.p50)}, p99 ${milliseconds(empty.p99)}
full against empty       p50 ${(full.p50 / empty.p50).toFixed(2)}, p99 ${(full.p99 / empty.p99).toFixed(2)}
replay state             ${replay}`);
  return [
    {
      what: `events caught up, of ${live} live tests`,
      unit: 'a second',
      ...speed,
      ...(isHeld && { target: { least: LEAST_CATCH_UP } }),
    },
    {
      what: `heap a live test, of ${live}`,
      value: bytesOf('heapBytes'),
      unit: 'B',
      ...(isHeld && { target: { most: MOST_HEAP } }),
    },
  ];
}

/** The operator's command over the whole log, in a process of its own. */
async function replayState(url: string): Promise<string> {
  const start = performance.now();
  const child = spawn(process.execPath, [cli, 'replay', 'state', '--until', `${'9'.repeat(15)}`], {
    env: { ...process.env, NATS_URL: url },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr.resume();
  const [code, signal] = await once(child, 'exit');
  const took = seconds(performance.now() - start);
  return code === 0 ? took : `failed after ${took} (${signal ?? `exit ${code}`})`;
}

function readOptions(args: readonly string[]) {
  try {
    const options = {
      tests: { type: 'string', default: '1000000' },
      json: { type: 'string' },
    } as const;
    const { tests, json } = parseArgs({ args: [...args], options }).values;
    return /^[1-9]\d{0,8}$/.test(tests) ? { tests: Number(tests), json } : undefined;
  } catch {
    return undefined;
  }
}
