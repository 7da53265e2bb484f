/**
 * Runs the demo on loopback: takes a whole test from the email to the paid report, keeps the environment
 * running for tests by hand, or takes a test of a running demo to its report.
 */

import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { cannotBe, readOptions, UsageError } from '../../src/config/command-line.ts';
import type { Report } from '../../src/domain/report/report.ts';
import type { Zone } from './dns-zone.ts';
import { type Environment, startEnvironment } from './environment.ts';
import { freePorts } from './free-ports.ts';
import { readZone } from './read-zone.ts';
import { SENDER } from './sender.ts';
import { type Listening, startService } from './service-process.ts';
import { stopSignal } from './stop-signal.ts';
import { describeReport, finishTest, MailRefusedError, runStory, toHostAndPort } from './story.ts';

const USAGE = `npm run -s demo -- [--json] [--mail FILE.eml [--ip ADDRESS] [--helo NAME]] [--dns ZONE] [--serve]
npm run -s demo -- --test LINK --to ADDRESS --smtp HOST:PORT [--payer KEY]

  --json       prints only the report on stdout
  --mail FILE  sends this email instead of the demo's own. The demo's DNS server knows only ${SENDER.domain}:
               add --dns, or set DNS_SERVERS to a resolver that knows the domain of the email
  --ip ADDRESS the server that the email comes from. Default: ${SENDER.ip}
  --helo NAME  the name that this server gives in HELO. Default: ${SENDER.host}
  --dns ZONE   a file with more records, as dig prints them
  --serve      keeps everything running; one JSON line on stdout contains the addresses
  --test LINK  takes a test of a running demo to its report. The page of the test shows the full command

Settings in the environment take precedence over the demo's own; .env is not read.`;

/** Number of lines of the service's log that are shown if the demo fails. */
const LAST_LINES = 20;

const log = (text: string) => void process.stderr.write(`${text}\n`);

/**
 * Runs a whole test for real, on loopback: starts nats-server, DNS, a chain and the service, creates a test,
 * sends an email, pays for the report and prints it. Resolves to the exit code.
 */
export async function runDemo(args: readonly string[]): Promise<number> {
  const options = readArgs(args);
  if (options.help) {
    log(USAGE);
    return 0;
  }
  const { json, serve, mail: file } = options;
  const mail = file === undefined ? undefined : await readFile(file).catch(cannotBe('read', file));
  const { ip = SENDER.ip, helo = SENDER.host } = options;
  const sending = { mail, client: { ip, host: helo }, print: json ? log : console.log };
  const show = (report: Report) =>
    console.log(json ? JSON.stringify(report, null, 2) : describeReport(report));
  if (options.test) {
    show(await finishTest(options.test, { ...sending, ...options.test }));
    return 0;
  }
  const zone = options.dns === undefined ? {} : await readZone(options.dns);
  let isStopped = false;
  const stopped = stopSignal().then(() => {
    isStopped = true;
  });

  log('Starting a nats-server, a DNS server, a local chain and the service, all on loopback.');
  // Ctrl-C also ends the processes next to us, which is not a fault.
  const running = await start(serve, zone).catch((error: unknown) => {
    if (!isStopped) throw error;
  });
  if (!running) return 1;
  const { environment, service, lastWords } = running;
  try {
    if (isStopped) return 1;
    if (serve) {
      console.log(JSON.stringify(describeEnvironment(environment, service.listening())));
      log(guide(environment, service.listening()));
      await stopped;
      return 0;
    }
    const { http, smtp } = service.listening();
    const { chain, key } = environment;
    const payer = chain.payer.privateKey;
    const story = runStory({ ...sending, http, smtp, payer, key });
    const report = await Promise.race([story, stopped]);
    if (!report) return 1;
    show(report);
    return 0;
  } catch (error) {
    if (isStopped) return 1;
    if (!(error instanceof MailRefusedError)) lastWords();
    throw error;
  } finally {
    await service.stop();
    await environment.stop();
  }
}

async function start(serve: boolean, zone: Zone) {
  const lines: string[] = [];
  const lastWords = () =>
    log(`The last lines of the service's log:\n${lines.slice(-LAST_LINES).join('\n')}`);
  const environment = await startEnvironment(process.env, zone);
  if (environment.taken.length > 0)
    log(`Settings taken from the environment: ${environment.taken.join(', ')}.`);
  try {
    const service = await startService({
      ...(await withSendCommand(environment)),
      onLog: (line) => (serve ? log(line) : void lines.push(line)),
    });
    return { environment, service, lastWords };
  } catch (error) {
    await environment.stop();
    throw error;
  }
}

/** Sends an email from the sender that the demo's DNS knows. */
const sendCommand = (smtp: string, address: string) =>
  `printf 'From: shop@${SENDER.domain}\\nTo: %s\\nSubject: Hello\\n\\nHello.\\n' ${address} | ` +
  `curl -sS --crlf smtp://${smtp}/${SENDER.host} --mail-from shop@${SENDER.domain} --mail-rcpt ${address} -T -`;

/** The page of a test shows the command that leads to its report, so it has to know the port. */
async function withSendCommand({ env, chain }: Environment) {
  const { SMTP_HOST = '127.0.0.1', SMTP_PORT, PAYMENTS } = env;
  const port = SMTP_PORT === '0' ? String(await freePorts(1)) : SMTP_PORT;
  const payer = PAYMENTS === 'off' ? '' : ` --payer ${chain.payer.privateKey}`;
  const command = `npm run -s demo -- --test '{link}' --to {address} --smtp ${SMTP_HOST}:${port}${payer}`;
  return { env: { ...env, SMTP_PORT: `${port}` }, fixed: { sendCommand: command } };
}

interface Named {
  readonly test?: string | undefined;
  readonly to: string;
  readonly smtp: string;
  readonly payer: string;
}

/** Returns a test of a running demo. The link to its page contains the key of its report. */
function runningTest({ test, to, smtp, payer }: Named) {
  if (test === undefined) return undefined;
  const [, http, test_id, read_token] = /^(.*)\/t\/([a-z2-7]{12})#([\w-]{43})$/.exec(test) ?? [];
  if (!http || !test_id || !read_token || !to || !smtp)
    throw new UsageError('--test, --to and --smtp are those that the page of a test shows.');
  return { http, test_id, read_token, address: to, smtp, payer: payer as `0x${string}` };
}

/** @throws UsageError */
function readArgs(args: readonly string[]) {
  const { values } = readOptions(args, {
    help: { type: 'boolean', short: 'h', default: false },
    test: { type: 'string' },
    smtp: { type: 'string', default: '' },
    to: { type: 'string', default: '' },
    payer: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
    serve: { type: 'boolean', default: false },
    mail: { type: 'string' },
    ip: { type: 'string' },
    helo: { type: 'string' },
    dns: { type: 'string' },
  });
  const { ip } = values;
  if (ip !== undefined && isIP(ip) === 0)
    throw new UsageError(`--ip must be an IP address, not ${ip}.`);
  return { ...values, test: runningTest(values) };
}

/** Returns what someone needs to use, pay or kill the running demo. */
function describeEnvironment({ env, chain }: Environment, { http, smtp, metrics, pid }: Listening) {
  return {
    http,
    base_url: env.BASE_URL ?? http,
    smtp: toHostAndPort(smtp),
    metrics,
    mail_domain: env.MAIL_DOMAIN,
    dns: env.DNS_SERVERS,
    nats: env.NATS_URL,
    rpc: env.X402_RPC_URL,
    payer_private_key: chain.payer.privateKey,
    pay_to: env.X402_PAY_TO,
    asset: chain.asset,
    service_pid: pid,
  };
}

/** How to run the whole test by hand. */
const guide = ({ env }: Environment, { http, smtp, pid }: Listening) => `
Running. Stop with Ctrl-C. In a browser: ${http}
The page of a test shows the command that takes it to its report. By hand, in another terminal:

  curl -sX POST ${http}/v1/tests
  ${sendCommand(smtp, '<ADDRESS>')}
  curl -s ${http}/v1/tests/<TEST_ID>/status
  curl -si '${http}/v1/report?test_id=<TEST_ID>' -H 'X-Read-Token: <READ_TOKEN>'

Addresses are at ${env.MAIL_DOMAIN}. This machine may use XCLIENT, to send as if from ${SENDER.ip}.
The service is process ${pid}: if you kill it (kill -9), it starts again and continues.`;
