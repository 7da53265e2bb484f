import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { type Listening, startService } from './demo/service-process.ts';
import { describeReport, tellStory } from './demo/story.ts';
import { startWorld, type World } from './demo/world.ts';

const USAGE = `npm run demo -- [--json] [--mail FILE.eml] [--serve]

  --json       print the report alone on stdout
  --mail FILE  send this mail in place of the demo's
  --serve      keep everything running; one JSON line on stdout says where`;

/** Lines of the service's log that are shown when the demo fails. */
const LAST_LINES = 20;

const say = (text: string) => void process.stderr.write(`${text}\n`);

/**
 * The main job for real, on loopback: nats-server, DNS, a chain and the service are started, a test
 * is created, a mail sent, the report paid for and printed. Resolves to the exit code.
 */
export async function runDemo(args: readonly string[]): Promise<number> {
  const options = readArgs(args);
  if (!options) {
    say(USAGE);
    return 2;
  }
  const { json, serve, mail } = options;
  say('Starting a nats-server, a DNS server, a local chain and the service, all on loopback.');
  const world = await startWorld(process.env);
  const lines: string[] = [];
  const lastWords = () => say(`The service's last words:\n${lines.slice(-LAST_LINES).join('\n')}`);
  const service = await startService({
    env: world.env,
    onLog: (line) => (serve ? say(line) : void lines.push(line)),
  }).catch(async (error: unknown) => {
    lastWords();
    await world.stop();
    throw error;
  });
  const stop = async () => {
    await service.stop();
    await world.stop();
  };

  try {
    if (serve) {
      console.log(JSON.stringify(describeWorld(world, service.listening())));
      say('Running. Stop with Ctrl-C.');
      await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
      return 0;
    }
    const print = json ? say : (text: string) => console.log(text);
    const report = await tellStory({
      world,
      listening: service.listening(),
      mailFile: mail,
      say: print,
    });
    if (json) console.log(JSON.stringify(report, null, 2));
    else print(describeReport(report));
    return 0;
  } catch (error) {
    lastWords();
    throw error;
  } finally {
    await stop();
  }
}

function readArgs(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        json: { type: 'boolean', default: false },
        serve: { type: 'boolean', default: false },
        mail: { type: 'string' },
      },
    });
    return values;
  } catch {
    return undefined;
  }
}

/** What somebody needs who wants to use, pay or kill the running demo. */
function describeWorld({ env, chain }: World, { http, smtp, metrics, pid }: Listening) {
  const [host, port] = smtp.split(/:(?=\d+$)/);
  return {
    http,
    base_url: env.BASE_URL ?? http,
    smtp: { host, port: Number(port) },
    metrics,
    mail_domain: env.MAIL_DOMAIN,
    dns: env.DNS_SERVERS,
    nats: env.NATS_URL,
    rpc: env.X402_RPC_URL,
    payer_private_key: chain.payer.privateKey,
    pay_to: env.X402_PAY_TO,
    asset: env.X402_ASSET ?? chain.asset,
    service_pid: pid,
  };
}
