import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Costs, demand, plan, tables } from './plan.ts';

const page = readFileSync('docs/operations.md', 'utf8');

/** As the page has them. */
function readCosts(): Costs {
  const rows = [
    ...page.matchAll(/^\| ([a-z ]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| (\d+) \|$/gm),
  ];
  const costs = rows.map(([, name = '', main, others, nodes, bytes]) => [
    name,
    { main: Number(main), others: Number(others), nodes: Number(nodes), bytes: Number(bytes) },
  ]);
  return Object.fromEntries(costs) as Costs;
}

test('what the page says is computed follows from what it says was measured', () => {
  const costs = readCosts();
  const { measured, computed } = tables(costs);
  expect(page).toContain(measured);
  expect(page).toContain(computed);
});

test('twice the cores do twice as much, and a sale makes a test dearer', () => {
  const costs = readCosts();
  expect(plan(costs, 16, 1).aSecond).toBeCloseTo(2 * plan(costs, 8, 1).aSecond);
  expect(plan(costs, 8, 0).aSecond).toBeGreaterThan(plan(costs, 8, 1).aSecond);
  expect(demand(costs, 8_640_000, 0).peak).toBeCloseTo(300);
});
