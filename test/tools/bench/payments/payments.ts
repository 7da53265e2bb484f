import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readReport } from '../../../support/payments/payment-environment.ts';
import {
  type PaymentFixtures,
  startPaymentFixtures,
} from '../../../support/payments/payment-fixtures.ts';
import type { Figure } from '../figures.ts';
import { printFigures } from '../print.ts';
import { measurePaidRead } from './paid-read.ts';

const USAGE = `npm run bench -- payments [--delay MS] [--sales N] [--at-once N] [--json FILE]

  --delay MS     to the node and back; 80 by default
  --sales N      reports that are bought, each by a payer of its own; 100 by default
  --at-once N    how many of them at the same time; 50 by default
  --json FILE    writes the figures into it as well`;

/** What a sale takes by itself; then reports a second, and calls a sale, of a node that is far away. */
export async function benchPayments(args: readonly string[]): Promise<number> {
  const options = readArgs(args);
  if (!options) {
    console.error(USAGE);
    return 2;
  }
  const fixtures = await startPaymentFixtures('self');
  try {
    const one = await fixtures.replica({ name: 'one' });
    const figures = await measurePaidRead(fixtures, one);
    return await printFigures([...figures, ...(await sell(fixtures, one, options))], options);
  } finally {
    await fixtures.stop();
  }
}

type Options = NonNullable<ReturnType<typeof readArgs>>;

async function sell(
  fixtures: PaymentFixtures,
  replica: { readonly http: string },
  { delayMs, sales, atOnce }: Options,
): Promise<Figure[]> {
  const purchases = await Promise.all(Array.from({ length: sales }, () => fixtures.purchase()));
  fixtures.proxy.fail(() => ({ meanwhile: () => delay(delayMs) }));
  const before = fixtures.proxy.calls.length;
  const begun = performance.now();
  const left = [...purchases];
  let sold = 0;
  const buyer = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      const { status } = await readReport(replica, next.test, next.header);
      if (status === 200) sold += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, buyer));
  const seconds = (performance.now() - begun) / 1000;
  const calls = fixtures.proxy.calls.slice(before);
  const far = `${delayMs} ms from the node`;
  return [
    { what: `reports sold, ${far}`, value: sales / seconds, unit: 'a second' },
    {
      what: `sold at the first request, of ${sales}`,
      value: sold,
      unit: 'reports',
      target: { least: sales },
    },
    { what: `calls of the node a sale, ${far}`, value: calls.length / sales, unit: 'requests' },
    ...Object.entries(Object.groupBy(calls, (method) => method))
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([method, all = []]) => ({
        what: `  ${method}`,
        value: all.length / sales,
        unit: 'requests' as const,
      })),
  ];
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
