import { writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startPaymentFixtures } from '../../../support/payments/payment-fixtures.ts';
import { readReport } from '../../soak/payment-environment.ts';

const USAGE = `npm run bench -- payments [--delay MS] [--sales N] [--at-once N] [--json FILE]

  --delay MS     to the node and back; 80 by default
  --sales N      reports that are bought, each by a payer of its own; 100 by default
  --at-once N    how many of them at the same time; 50 by default
  --json FILE    writes the figures into it as well`;

const print = (text: string) => console.log(text);

/** Sells reports through a node that is far away: reports a second, and calls of the node a sale. */
export async function benchPayments(args: readonly string[]): Promise<number> {
  const options = readArgs(args);
  if (!options) {
    console.error(USAGE);
    return 2;
  }
  const { delayMs, sales, atOnce, json } = options;
  const fixtures = await startPaymentFixtures('self');
  try {
    const one = await fixtures.replica({ name: 'one' });
    const purchases = await Promise.all(Array.from({ length: sales }, () => fixtures.purchase()));
    fixtures.proxy.fail(() => ({ meanwhile: () => delay(delayMs) }));
    const before = fixtures.proxy.calls.length;
    const begun = performance.now();
    const left = [...purchases];
    const statuses = new Map<number, number>();
    const buyer = async () => {
      for (let next = left.pop(); next; next = left.pop()) {
        const { status } = await readReport(one, next.test, next.header);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, buyer));
    const seconds = (performance.now() - begun) / 1000;
    const calls = fixtures.proxy.calls.slice(before);
    print(`${[...statuses].map(([status, times]) => `${status} × ${times}`).join(', ')}`);
    const figures = {
      reports_a_second: Number((sales / seconds).toFixed(1)),
      calls_a_sale: Number((calls.length / sales).toFixed(1)),
    };
    print(`${figures.reports_a_second} reports a second, ${delayMs} ms from the node`);
    print(`${figures.calls_a_sale} calls a sale`);
    if (json) await writeFile(json, JSON.stringify({ delay_ms: delayMs, sales, ...figures }));
    const methods = Object.entries(Object.groupBy(calls, (method) => method));
    for (const [method, all = []] of methods.sort())
      print(`  ${method}: ${(all.length / sales).toFixed(1)}`);
    return statuses.get(200) === sales ? 0 : 1;
  } finally {
    await fixtures.stop();
  }
}

function readArgs(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        delay: { type: 'string', default: '80' },
        sales: { type: 'string', default: '100' },
        'at-once': { type: 'string', default: '50' },
        json: { type: 'string' },
      },
    });
    const [delayMs, sales, atOnce] = [values.delay, values.sales, values['at-once']].map(Number);
    if (!delayMs || !sales || !atOnce) return undefined;
    return { delayMs, sales, atOnce, json: values.json };
  } catch {
    return undefined;
  }
}
