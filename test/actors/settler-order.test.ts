import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as jobSteps from '../../src/actors/settler/job-steps.ts';
import * as requestSteps from '../../src/actors/settler/request-steps.ts';

/** The numbered list of the docs: each item begins with its function's name. */
const documented = [
  ...readFileSync('docs/payments.md', 'utf8').matchAll(/^(\d+)\. `(\w+)`:/gm),
].map(([, number, name]) => [Number(number), name] as const);

/** Names of the steps in the order in which a function of `settler.ts` calls them. */
function calledBy(name: string, steps: object): string[] {
  const source = readFileSync('src/actors/settler/settler.ts', 'utf8');
  const [body = ''] = source.match(new RegExp(`async function ${name}\\([\\s\\S]*?\\n}`)) ?? [];
  const calls = [...body.matchAll(/\b(\w+)\(/g)].map(([, called]) => called ?? '');
  return calls.filter((called) => Object.hasOwn(steps, called));
}

const requestOrder = calledBy('read', requestSteps);
const jobOrder = calledBy('buy', jobSteps);

test('the documented order of work is the order in which the settler calls its steps', () => {
  expect(documented.map(([, name]) => name)).toEqual([...requestOrder, ...jobOrder]);
  expect(documented.map(([number]) => number)).toEqual(documented.map((_, index) => index + 1));
});

test('every step is called', () => {
  expect(new Set(requestOrder)).toEqual(new Set(Object.keys(requestSteps)));
  expect(new Set(jobOrder)).toEqual(new Set(Object.keys(jobSteps)));
});

test.each(['request-steps.ts', 'job-steps.ts'])('%s says of each step its number', (file) => {
  const source = readFileSync(`src/actors/settler/${file}`, 'utf8');
  const numbered = source.matchAll(
    /Step (\d+)\.(?:(?!\*\/)[\s\S])*\*\/\s+export (?:async )?(?:function|const) (\w+)/g,
  );
  const names = Object.keys(file === 'job-steps.ts' ? jobSteps : requestSteps);
  expect([...numbered].map(([, number, name]) => [Number(number), name])).toEqual(
    documented.filter(([, name]) => names.includes(name ?? '')),
  );
});
