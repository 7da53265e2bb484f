import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { connectNats } from '../../../../src/adapters/nats/connection.ts';
import { openLogs } from '../../../../src/adapters/nats/logs.ts';
import { createStreams } from '../../../../src/adapters/nats/streams.ts';
import { aPaymentEvent } from '../../../support/log/events.ts';
import { startNats } from '../../../support/log/nats-server.ts';
import { eventsOf, fill } from './fill.ts';

const USAGE = `npm run bench -- incidents [--tests N]

  --tests N    live tests in the log, and a tenth as many payments (100000)`;

const GIB = 2 ** 30;

const settings = {
  ...{ receiveWindowSeconds: 3600, retentionSeconds: 86_400 },
  ...{ testsMaxBytes: 8 * GIB, reportsMaxBytes: GIB, paymentsMaxBytes: GIB },
};

/** The test of which all the questions are. */
const ID = 'abcdefgh2345';

/** What a process has used of the processor is its last line: on a busy machine its duration says little. */
const PRINT_CPU =
  'data:text/javascript,process.on("exit",()=>{const{user,system}=process.cpuUsage();console.error((user+system)/1000)})';

const cli = fileURLToPath(new URL('../../../../src/cli.ts', import.meta.url));
const hex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}`;

/** The six incidents of docs/event-log.md over a full log. Resolves to the exit code: 1 when one takes 5 s. */
export async function benchIncidents(args: readonly string[]): Promise<number> {
  const options = { tests: { type: 'string', default: '100000' } } as const;
  const { values } = parseArgs({ args: [...args], options, strict: false });
  const tests = Number(values.tests);
  if (!Number.isInteger(tests)) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const server = await startNats();
  try {
    const transaction = await writeLog(server.url, tests);
    const hour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const incidents = [
      ['why', `${ID}@mailtest.example`],
      ['find', transaction],
      ['find', '198.51.100.7'],
      ['events', '--since', hour(-1), '--until', hour(1), '--type', 'MailRefused'],
      ['states', ID],
      ['payments', '--since', hour(-24), '--until', hour(1), '--sum'],
    ];
    const took: number[] = [];
    for (const line of incidents) {
      const { ms, cpuMs, lines } = await run(server.url, line);
      took.push(ms);
      console.log(
        `${(ms / 1000).toFixed(1)} s, processor ${(cpuMs / 1000).toFixed(1)} s, ${lines} line(s): replay ${line.join(' ')}`,
      );
    }
    return Math.max(...took) < 5000 ? 0 : 1;
  } finally {
    await server.end();
  }
}

/** Gives the transaction of the payment that is looked for. */
async function writeLog(url: string, tests: number): Promise<string> {
  const connection = await connectNats({ url, name: 'bench' });
  await createStreams(connection, settings);
  await fill(connection, tests);
  const { tests: log, payments } = openLogs(connection);
  let end = 0;
  for (const one of eventsOf(1, Date.now())) {
    const event =
      one.type === 'MailArrived' ? { ...one, data: { ...one.data, ip: '198.51.100.7' } } : one;
    const appended = await log.append(ID, event, end);
    if (appended.outcome === 'appended') end = appended.seq;
  }
  let last = '';
  for (let n = 0; n < tests / 10; n++) {
    const id = n === 0 ? ID : `paid${n.toString(36)}`;
    const at = new Date().toISOString();
    const started = { ...aPaymentEvent('SettlementStarted'), id: hex(8), at };
    const begun = await payments.append(id, started, 0);
    if (begun.outcome !== 'appended') throw new Error(`An append ended as ${begun.outcome}.`);
    const made = aPaymentEvent('PaymentSettled');
    const receipt = { ...made.data.receipt, transaction: hex(32) };
    if (n === 0) last = receipt.transaction;
    await payments.append(
      id,
      { ...made, id: hex(8), at, data: { ...made.data, receipt } },
      begun.seq,
    );
  }
  await connection.close();
  return last;
}

async function run(url: string, line: readonly string[]) {
  const begun = performance.now();
  const child = spawn(process.execPath, ['--import', PRINT_CPU, cli, 'replay', ...line], {
    env: { ...process.env, NATS_URL: url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  let last = '';
  child.stderr.on('data', (chunk) => {
    last = `${chunk}`.trim().split('\n').at(-1) ?? '';
  });
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  await once(child, 'close');
  return { ms: performance.now() - begun, cpuMs: Number(last), lines: text.split('\n').length - 1 };
}
