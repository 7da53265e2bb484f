/**
 * Lists planted faults in SMTP replies, in the log, in payments and in API responses that the fault
 * runner must find.
 */

import type { Planted } from './planted.ts';

const PROCESSES = ['test/faults/processes.int.test.ts'];
const MONEY = ['test/faults/money.int.test.ts'];

/** Faults that the fault runner must find. */
export const logAndMoney: readonly Planted[] = [
  {
    name: '250 before the email is stored',
    file: 'src/actors/receiver/record.ts',
    find: "const recorded = await append(mail, id, toArrival(mail), () => verdict('closed'));",
    replace:
      "const storing = append(mail, id, toArrival(mail), () => verdict('closed'));\n      if (id) return verdict('analysed');\n      const recorded = await storing;",
    tests: PROCESSES,
    only: 'kill a replica$',
  },
  {
    name: '250 before the analysis has ended',
    file: 'src/actors/receiver/record.ts',
    find: '(await doneWithin(waiting.outcome, patienceMs)) ?? (await decideAgain(testId, digest))',
    replace: "verdict('analysed')",
    tests: PROCESSES,
    only: 'kill a replica$',
  },
  {
    name: 'an append that expects nothing',
    file: 'src/adapters/nats/publish.ts',
    find: "expected.set('Nats-Expected-Last-Subject-Sequence', String(expectedSeq));",
    replace: "expected.set('Expected-Nothing', String(expectedSeq));",
    tests: ['test/adapters/nats/log.int.test.ts'],
  },
  {
    name: 'a transaction that is sent before it is stored',
    file: 'src/adapters/chain/self-settlement.ts',
    find: 'await job.recordSigned(tx);',
    replace: 'void job.recordSigned(tx);',
    tests: MONEY,
    only: 'kill a replica (before|after) TransactionSigned',
  },
  {
    name: 'a claim of another report that counts',
    file: 'src/actors/settler/job-steps.ts',
    find: 'if (claim.id !== purchase.id) throw errors.used(purchase);',
    replace: '',
    tests: ['test/actors/settler.test.ts', 'test/payments/self.int.test.ts'],
  },
  {
    name: 'a settlement that nobody goes on with after a restart',
    file: 'src/actors/reconciler.ts',
    find: 'if (isDue) look(id);',
    replace: 'if (isDue && id === undefined) look(id);',
    tests: ['test/actors/reconciler.test.ts'],
  },
  {
    name: 'the clock of the machine instead of the clock of the log',
    file: 'src/adapters/nats/clock.ts',
    find: 'now: () => Math.floor(performance.now() + offset.milliseconds()),',
    replace: 'now: () => Date.now(),',
    tests: PROCESSES,
    only: 'set a clock',
  },
  {
    name: 'a facilitator who is believed',
    file: 'src/actors/settler/settle.ts',
    find: 'const block = await chain.confirm(paymentOf(state), transaction).catch(() => undefined);',
    replace: 'const block = await chain.confirm(paymentOf(state), transaction).catch(() => 1);',
    tests: ['test/actors/settler.test.ts'],
  },
  {
    name: '503 that does not say when to come again',
    file: 'src/api/plugins/problem.ts',
    find: ".headers(problem.status > 500 ? { 'retry-after': RETRY_SECONDS } : {})",
    replace: '',
    tests: ['test/api/problems.test.ts'],
  },
  {
    name: 'a token that is logged',
    file: 'src/api/plugins/problem.ts',
    find: "if (known.code === 'internal_error')\n      request.log.error(\n        { request: request.id, err: error },",
    replace:
      "if (known.code)\n      request.log.error(\n        { request: request.id, token: request.headers['x-read-token'] },",
    tests: ['test/api/problems.test.ts'],
  },
];
