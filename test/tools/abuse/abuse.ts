import { parseArgs } from 'node:util';
import type { Outcome } from './attack.ts';
import { type AttackName, attacks } from './attacks.ts';
import { startTarget } from './target.ts';

const names = Object.keys(attacks) as AttackName[];

export interface Row extends Outcome {
  readonly name: AttackName;
  readonly threshold: string;
}

interface Plan {
  readonly which: readonly AttackName[];
  readonly seconds: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Attacks a service of its own, one attack after the other. */
export async function abuse(
  { which, seconds, env }: Plan,
  onRow: (row: Row) => void = () => {},
): Promise<Row[]> {
  const target = await startTarget(env);
  const rows: Row[] = [];
  try {
    for (const name of which) {
      const { threshold, run } = attacks[name];
      const row = { name, threshold, ...(await run(target, seconds)) };
      rows.push(row);
      onRow(row);
    }
  } finally {
    await target.stop();
  }
  return rows;
}

/** `npm run abuse [-- --seconds N --only NAME]`: 1 when a threshold is missed. */
export async function runAbuse(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '60' },
      only: { type: 'string', multiple: true, default: names },
    },
  });
  const which = names.filter((name) => values.only.includes(name));
  const seconds = Number(values.seconds);
  if (which.length === 0 || !(seconds > 0)) {
    console.error(`--seconds N, and --only with one of: ${names.join(', ')}.`);
    return 2;
  }
  const plan = { which, seconds, env: process.env };
  const rows = await abuse(plan, ({ name, threshold, measured, holds }) =>
    console.log(`${holds ? 'holds ' : 'MISSED'}  ${name.padEnd(17)}  ${measured}  (${threshold})`),
  );
  return rows.every(({ holds }) => holds) ? 0 : 1;
}
