import type { Used } from './place.ts';

/** Share of a machine's processor time that is planned with: the rest is for peaks and lost machines. */
const USE = 0.6;

/** Machines with a node and replicas each. */
const MACHINES = 3;

/** A test as its owner drives it: how often each thing is done for it. */
const EACH_TEST = { creation: 1, poll: 10, mail: 1, challenge: 1 } as const;
const EACH_SALE = { sale: 1, 'read again': 1 } as const;

/** The busiest hour against the mean of a day. */
const PEAK = 3;
const DAY = 86_400;

type Name = keyof typeof EACH_TEST | keyof typeof EACH_SALE;

/** What one of each costs. */
export type Costs = Readonly<Record<Name, Used>>;

/** What a test costs of which this share is paid for. */
export function costOfTest(costs: Costs, sold: number) {
  const sum = (of: 'main' | 'others' | 'nodes' | 'bytes') =>
    Object.entries({ ...EACH_TEST, ...EACH_SALE }).reduce((total, [name, times]) => {
      const share = name in EACH_SALE ? sold : 1;
      return total + costs[name as Name][of] * times * share;
    }, 0);
  return {
    main: sum('main'),
    all: sum('main') + sum('others') + sum('nodes'),
    bytes: sum('bytes'),
  };
}

/** What three machines of so many cores do, with how many replicas on each. */
export function plan(costs: Costs, cores: number, sold: number) {
  const { main, all } = costOfTest(costs, sold);
  const aSecond = (MACHINES * cores * USE * 1000) / all;
  const mainCores = ((aSecond / MACHINES) * main) / 1000;
  return {
    aSecond,
    /** At the peak of its busiest hour it does what is above. */
    aDay: (aSecond * DAY) / PEAK,
    replicas: Math.max(1, Math.ceil(mainCores / USE)),
  };
}

/** Cores in all for so many tests a day, and what they fill: in one copy of the log, until it is erased. */
export function demand(costs: Costs, testsADay: number, sold: number) {
  const { all, bytes } = costOfTest(costs, sold);
  const peak = (testsADay / DAY) * PEAK;
  return { peak, cores: (peak * all) / 1000 / USE, bytesADay: testsADay * bytes };
}

const round = (value: number) => Number(value.toPrecision(2)).toLocaleString('en');

/** The table of what was measured, and those that follow from it, for docs/operations.md. */
export function tables(costs: Costs): { readonly measured: string; readonly computed: string } {
  const two = (value: number) => value.toFixed(2);
  const measured = Object.entries(costs).map(
    ([name, { main, others, nodes, bytes }]) =>
      `| ${name} | ${two(main)} | ${two(others)} | ${two(nodes)} | ${Math.round(bytes)} |`,
  );
  const SOLD = [1, 0.1] as const;
  const rows = [2, 8, 32].map((cores) => {
    const [all, tenth] = SOLD.map((sold) => plan(costs, cores, sold));
    return `| ${cores} | ${round(all?.aSecond ?? 0)} | ${round(all?.aDay ?? 0)} | ${round(tenth?.aSecond ?? 0)} | ${round(tenth?.aDay ?? 0)} | ${all?.replicas} |`;
  });
  const ten = SOLD.map((sold) => demand(costs, 10_000_000, sold));
  const line = (what: string, of: (one: ReturnType<typeof demand>) => string) =>
    `| ${what} | ${ten.map(of).join(' | ')} |`;
  return {
    measured: [
      '| one | main thread, ms | other threads, ms | three nodes, ms | bytes |',
      '|---|---|---|---|---|',
      ...measured,
    ].join('\n'),
    computed: [
      '| cores of each of three machines | tests a second, all sold | a day | tests a second, a tenth sold | a day | replicas on each |',
      '|---|---|---|---|---|---|',
      ...rows,
      '',
      '| ten million tests a day | all sold | a tenth sold |',
      '|---|---|---|',
      line('tests a second at the peak', ({ peak }) => round(peak)),
      line('cores in all', ({ cores }) => round(cores)),
      line('GB a day in each copy of the log', ({ bytesADay }) => round(bytesADay / 1e9)),
    ].join('\n'),
  };
}
