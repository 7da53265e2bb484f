import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { toChart } from './chart.ts';
import { underLoad } from './environment.ts';

const USAGE = `npm run bench -- curve [--seconds N] [--svg FILE] [--json FILE]

  --seconds N    for each load; 15 by default
  --svg FILE     draws throughput and latency against load
  --json FILE    writes the figures there, too`;

/** Of the most that the service does. */
const LOADS = [0.1, 0.25, 0.5, 0.7, 0.85, 1, 1.25, 1.5];

/** Whole tests at growing rates: how many are ready in a second, and how long they take. */
export async function benchCurve(args: readonly string[]): Promise<number> {
  const options = readArgs(args);
  if (!options) {
    console.error(USAGE);
    return 2;
  }
  return underLoad(async ({ maximum, at }) => {
    const points = [];
    for (const load of LOADS) {
      const { ready_a_second, mail_ms, shed, faults } = await at(load, options.seconds * 1000);
      const offered = Number((load * maximum).toFixed(1));
      points.push({ offered, ready_a_second, mail_ms, shed, faults });
      console.log(JSON.stringify(points.at(-1)));
    }
    if (options.json) await writeFile(options.json, `${JSON.stringify({ maximum, points })}\n`);
    if (options.svg) await writeFile(options.svg, draw(points));
    return points.some(({ faults }) => Object.keys(faults).length > 0) ? 1 : 0;
  });
}

interface Point {
  readonly offered: number;
  readonly ready_a_second: number;
  readonly mail_ms: { readonly p50: number; readonly p99: number };
}

const xTitle = 'tests begun a second';

const draw = (points: readonly Point[]) =>
  toChart([
    {
      title: 'Tests that are ready, a second',
      xTitle,
      series: [
        {
          name: 'ready',
          colour: '#0969da',
          points: points.map(toPointOf((one) => one.ready_a_second)),
        },
      ],
    },
    {
      title: 'From DATA to the reply, milliseconds',
      xTitle,
      series: [
        { name: 'p99', colour: '#cf222e', points: points.map(toPointOf((one) => one.mail_ms.p99)) },
        { name: 'p50', colour: '#1a7f37', points: points.map(toPointOf((one) => one.mail_ms.p50)) },
      ],
    },
  ]);

const toPointOf = (read: (point: Point) => number) => (point: Point) => ({
  x: point.offered,
  y: read(point),
});

function readArgs(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        seconds: { type: 'string', default: '15' },
        svg: { type: 'string' },
        json: { type: 'string' },
      },
    });
    const seconds = Number(values.seconds);
    return seconds > 0 ? { seconds, svg: values.svg, json: values.json } : undefined;
  } catch {
    return undefined;
  }
}
