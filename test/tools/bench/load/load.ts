import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { startEnvironment } from '../../../environment/environment.ts';
import { startService } from '../../../environment/service-process.ts';
import { toHostAndPort } from '../../../environment/story.ts';
import { KIB, sizedMail } from '../sized-mail.ts';
import { live } from './life.ts';
import { atRate, inTurn, summarize } from './phase.ts';

const USAGE = `npm run bench -- load [--minutes N] [--over-minutes N] [--json FILE]

  --minutes N       at 70 % of the maximum; 30 by default
  --over-minutes N  at 150 %; 5 by default
  --json FILE       writes the figures there, too`;

const AT_ONCE = 64;

/** To compile what is used, and to measure the maximum, in milliseconds. */
const WARM_MS = 30_000;
const MAXIMUM_MS = 30_000;

/** After an overload, until a test is ready again as fast as ever, in milliseconds. */
const MOST_RECOVERY_MS = 10_000;
const SWIFT_MS = 1000;

/** Memory may grow by so much between the first quarter and the last. */
const MOST_GROWTH = 1.2;

/** Tests end while others begin, as in a service that has run for long. */
const SETTINGS = { RETENTION_SECONDS: '60', RECEIVE_WINDOW_SECONDS: '60' };

/** Whole tests from creation to expiry at a steady rate, then at more than can be done. */
export async function benchLoad(args: readonly string[]): Promise<number> {
  const options = readArgs(args);
  if (!options) {
    console.error(USAGE);
    return 2;
  }
  const { PATH, NATS_SERVER_BIN } = process.env;
  const clients = { SMTP_MAX_CLIENTS: '200', SMTP_MAX_CLIENTS_PER_IP: '200' };
  const environment = await startEnvironment({ PATH, NATS_SERVER_BIN, ...clients, ...SETTINGS });
  const service = await startService({ env: environment.env, onLog: () => {} });
  try {
    const { http, smtp, pid } = service.listening();
    const place = {
      http,
      via: { ...toHostAndPort(smtp), client: environment.client },
      mail: await sizedMail(10 * KIB, 'anybody@in.example.net', environment.key),
      payerKey: environment.chain.payer.privateKey,
      network: environment.env.X402_NETWORK ?? '',
    };
    await inTurn(place, AT_ONCE, WARM_MS);
    const maximum = await inTurn(place, AT_ONCE, MAXIMUM_MS);
    console.log(`the most: ${maximum.toFixed(1)} tests a second, ${AT_ONCE} at a time`);
    const steady = summarize(await atRate(place, pid, 0.7 * maximum, options.minutes * 60_000));
    console.log('at 70 %', JSON.stringify(steady));
    const over = summarize(await atRate(place, pid, 1.5 * maximum, options.overMinutes * 60_000));
    console.log('at 150 %', JSON.stringify(over));
    const recovery_ms = await recover(() => live(place, false));
    console.log(`as fast as before ${recovery_ms} ms after the overload`);
    const { first_quarter, last_quarter } = steady.memory_mib;
    const faults = Object.keys({ ...steady.shed, ...steady.faults, ...over.faults });
    const grows = last_quarter > MOST_GROWTH * first_quarter;
    if (faults.length > 0) console.log(`MISSED: ${faults.join(', ')}`);
    if (grows) console.log(`MISSED: memory grows from ${first_quarter} to ${last_quarter} MiB`);
    if (options.json)
      await writeFile(options.json, `${JSON.stringify({ maximum, steady, over, recovery_ms })}\n`);
    return faults.length > 0 || grows || recovery_ms > MOST_RECOVERY_MS ? 1 : 0;
  } finally {
    await service.stop();
    await environment.stop();
  }
}

/** Milliseconds until a test is ready at once. */
async function recover(one: () => ReturnType<typeof live>): Promise<number> {
  const begin = performance.now();
  for (;;) {
    const ending = await one();
    const took = Math.round(performance.now() - begin);
    if ((ending.how === 'ready' && ending.readyMs < SWIFT_MS) || took > 6 * MOST_RECOVERY_MS)
      return took;
  }
}

function readArgs(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        minutes: { type: 'string', default: '30' },
        'over-minutes': { type: 'string', default: '5' },
        json: { type: 'string' },
      },
    });
    const [minutes = 0, overMinutes = 0] = [values.minutes, values['over-minutes']].map(Number);
    return minutes > 0 && overMinutes > 0 ? { minutes, overMinutes, json: values.json } : undefined;
  } catch {
    return undefined;
  }
}
