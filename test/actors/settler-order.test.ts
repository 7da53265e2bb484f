import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as jobSteps from '../../src/actors/settler/job-steps.ts';
import * as requestSteps from '../../src/actors/settler/request-steps.ts';

/** What a step's comment says of itself: `Step 3.` before its function. */
function numberedIn(file: string) {
  const source = readFileSync(`src/actors/settler/${file}`, 'utf8');
  const numbered = source.matchAll(
    /Step (\d+)\.(?:(?!\*\/)[\s\S])*\*\/\s+export (?:async )?(?:function|const) (\w+)/g,
  );
  return [...numbered].map(([, number, name]) => [Number(number), name] as const);
}

/** Names of the steps in the order in which a function of `settler.ts` calls them. */
function calledBy(name: string, steps: object): string[] {
  const source = readFileSync('src/actors/settler/settler.ts', 'utf8');
  const [body = ''] = source.match(new RegExp(`async function ${name}\\([\\s\\S]*?\\n}`)) ?? [];
  const calls = [...body.matchAll(/\b(\w+)\(/g)].map(([, called]) => called ?? '');
  return calls.filter((called) => Object.hasOwn(steps, called));
}

const requestOrder = calledBy('read', requestSteps);
const jobOrder = calledBy('buy', jobSteps);

test('the steps are numbered in the order in which the settler calls them', () => {
  const numbered = [...numberedIn('request-steps.ts'), ...numberedIn('job-steps.ts')];
  const order = [...requestOrder, ...jobOrder];
  expect(numbered).toEqual(order.map((name, index) => [index + 1, name]));
});

test('every step is called', () => {
  expect(new Set(requestOrder)).toEqual(new Set(Object.keys(requestSteps)));
  expect(new Set(jobOrder)).toEqual(new Set(Object.keys(jobSteps)));
});
