/** Lists planted faults that the tests of a sale must find: who pays whom how much, until when, and once. */

import type { Planted } from './planted.ts';

const SETTLER = ['test/actors/settler.test.ts'];
const TERMS = ['test/domain/payment-terms.test.ts'];

/** Faults that the tables of a sale must find: who pays whom how much, until when, and once. */
export const money: readonly Planted[] = [
  {
    name: 'a price that nobody compares',
    file: 'src/domain/payment-terms.ts',
    find: "['invalid_payment_requirements', ['amount', 'asset', 'payTo']],",
    replace: "['invalid_payment_requirements', ['asset', 'payTo']],",
    tests: TERMS,
  },
  {
    name: 'an authorization that may run out under way',
    file: 'src/domain/payment-terms.ts',
    find: 'const MIN_VALIDITY_SECONDS = 15;',
    replace: 'const MIN_VALIDITY_SECONDS = 14;',
    tests: TERMS,
  },
  {
    name: 'a report that is sold to its last moment',
    file: 'src/actors/settler/job-steps.ts',
    find: 'if (clock() > purchase.payBefore) throw errors.closed(purchase);',
    replace: '',
    tests: SETTLER,
  },
  {
    name: 'one attempt more than the limit',
    file: 'src/actors/settler/job-steps.ts',
    find: 'if (state.context.attempts >= MAX_ATTEMPTS)',
    replace: 'if (state.context.attempts > MAX_ATTEMPTS)',
    tests: SETTLER,
  },
  {
    name: 'an authorization that was used and opens a report',
    file: 'src/actors/settler/job-steps.ts',
    find: 'if (!end) return',
    replace: 'if (!end || !owner) return',
    tests: SETTLER,
  },
  {
    name: 'another signature of a claim that nobody checks',
    file: 'src/actors/settler/job-steps.ts',
    find: 'if (owner.signature_sha256 !== hashOf(payment)) await',
    replace: 'if (owner.signature_sha256 === undefined) await',
    tests: SETTLER,
  },
  {
    name: 'a report that is charged and cannot be loaded',
    file: 'src/actors/settler/job-steps.ts',
    find: 'export const loadReport = ({ load }: Purchase) => load();',
    replace:
      'export const loadReport = async ({ load }: Purchase) => load().catch(() => ({}) as never);',
    tests: SETTLER,
  },
  {
    name: 'money that went elsewhere, called expired',
    file: 'src/actors/settler/settle.ts',
    find: "'authorization_used_elsewhere'",
    replace: "'authorization_expired'",
    tests: SETTLER,
  },
  {
    name: 'a settlement that every replica goes on with',
    file: 'src/actors/settler/settle.ts',
    find: 'const free = watch.isAbandoned(account) || account.by === replica;',
    replace: 'const free = true;',
    tests: SETTLER,
  },
  {
    name: 'ten times the gas for one payment',
    file: 'src/adapters/chain/gas.ts',
    find: 'const MAX_GAS = 400_000n;',
    replace: 'const MAX_GAS = 4_000_000n;',
    tests: ['test/adapters/chain/gas.int.test.ts'],
  },
];
