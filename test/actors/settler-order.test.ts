/** Pins the order of the steps in which a payment is checked and settled. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as jobSteps from '../../src/actors/settler/job-steps.ts';
import * as requestSteps from '../../src/actors/settler/request-steps.ts';

/** Returns the steps that a function of `settler.ts` calls, in the order in which it calls them. */
function calledBy(name: string, steps: object): string[] {
  const source = readFileSync('src/actors/settler/settler.ts', 'utf8');
  const [body = ''] = source.match(new RegExp(`async function ${name}\\([\\s\\S]*?\\n}`)) ?? [];
  const calls = [...body.matchAll(/\b(\w+)\(/g)].map(([, called]) => called ?? '');
  return calls.filter((called) => Object.hasOwn(steps, called));
}

/** The order of the steps that keeps money safe. Changing it is a decision of its own. */
const REQUEST = [
  'openPurchase',
  'joinSamePayment',
  'awaitOthers',
  'servePaid',
  'refusePending',
  'judgeHeader',
  'beginJob',
  'answerResult',
];
const JOB = [
  'readOwner',
  'findArrived',
  'refuseObstacles',
  'takeLook',
  'checkSignature',
  'checkUnused',
  'takeTurn',
  'takePlace',
  'loadReport',
  'claimAuthorization',
  'awaitFunds',
  'recordStart',
  'settle',
];

test.each([
  ['read', requestSteps, REQUEST],
  ['buy', jobSteps, JOB],
])('%s calls every step once, in the order of work', (name, steps, order) => {
  expect(calledBy(name, steps)).toEqual(order);
  expect(Object.keys(steps).sort()).toEqual(order.toSorted());
});
