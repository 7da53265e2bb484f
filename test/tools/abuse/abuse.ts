import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Attack, Outcome } from './attack.ts';
import { type AttackName, attacks } from './attacks.ts';
import { startTarget, type Target } from './target.ts';

const names = Object.keys(attacks) as AttackName[];

export interface Row extends Outcome {
  readonly name: AttackName;
  readonly threshold: string;
  /** Of the machine, before and after: it says how much the times mean. */
  readonly load: string;
}

interface Plan {
  readonly which: readonly AttackName[];
  readonly seconds: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Attacks services of its own, with one attack after the other. */
export async function abuse(
  { which, seconds, env }: Plan,
  onRow: (row: Row) => void = () => {},
): Promise<Row[]> {
  const targets = new Map<string, Promise<Target>>();
  const targetOf = (kind: string) => {
    const known =
      targets.get(kind) ?? startTarget({ env, sells: kind === 'sells', tight: kind === 'tight' });
    targets.set(kind, known);
    return known;
  };
  const rows: Row[] = [];
  try {
    for (const name of which) {
      const { threshold, kind = 'free', run }: Attack = attacks[name];
      // One that starts what it needs never looks at this.
      const target = kind === 'alone' ? ({} as Target) : await targetOf(kind);
      const load = loadavg()[0]?.toFixed(1);
      const outcome = await run(target, seconds, env).catch((error: unknown) => ({
        measured: error instanceof Error ? error.message : String(error),
        holds: false,
      }));
      const row = { name, threshold, ...outcome, load: `${load} to ${loadavg()[0]?.toFixed(1)}` };
      rows.push(row);
      onRow(row);
    }
  } finally {
    for (const target of targets.values()) await (await target).stop();
  }
  return rows;
}

/** `npm run lab -- abuse [--seconds N --only NAME]`: 1 when a threshold is missed. */
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
  const rows = await abuse(plan, ({ name, threshold, measured, holds, load }) =>
    console.log(
      `${holds ? 'holds ' : 'MISSED'}  ${name.padEnd(17)}  ${measured}  (${threshold}; load ${load})`,
    ),
  );
  return rows.every(({ holds }) => holds) ? 0 : 1;
}
