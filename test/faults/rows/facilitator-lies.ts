/** Lists the ways in which a facilitator can lie. */

import type { Behaviour } from '../../support/payments/facilitator.ts';
import type { LieContext } from './lie-grammar.ts';

/** The behaviour of a facilitator that is asked to settle the payment of one payer. */
type Tell = (payer: string, context: LieContext) => Behaviour;

const NETWORK = 'eip155:8453';
const STRANGER = `0x${'d'.repeat(40)}`;
const INVENTED = `0x${'ab'.repeat(32)}`;

const says = (body: unknown, doneAfterMs?: number, status = 200): Behaviour => ({
  status,
  body,
  ...(doneAfterMs !== undefined && { doneAfterMs }),
});
const paid = (payer: string, change: object = {}) => ({
  success: true,
  transaction: INVENTED,
  network: NETWORK,
  payer,
  ...change,
});
const invalid = { isValid: false, success: false, invalidReason: 'no', errorReason: 'no' };
const failed = { success: false, errorReason: 'invalid_transaction_state', transaction: '' };

export const facilitatorLies: Readonly<Record<string, Tell>> = {
  'paid by an invented transaction': (payer) => says(paid(payer)),
  'paid by an invented transaction, and pays later': (payer) => says(paid(payer), 700),
  'paid by an earlier transaction': (payer, { paidBefore }) =>
    says(paid(payer, { transaction: paidBefore })),
  'paid by another payer': () => says(paid(STRANGER), 0),
  'paid on another network': (payer) => says(paid(payer, { network: 'eip155:1' }), 0),
  'paid without a transaction': (payer) => says(paid(payer, { transaction: '' }), 0),
  'paid by a transaction that is no hash': (payer) =>
    says(paid(payer, { transaction: { toString: 1 } }), 0),
  'failed, and has paid': () => says(failed, 0),
  'failed, and pays later': () => says(failed, 700),
  'failed with an error, and has paid': () => says({ error: 'internal' }, 0, 500),
  'refused by the client’s fault, and has paid': () => says(failed, 0, 400),
  'pending, and has paid': () => 'pending',
  'paid, and the answer is lost': () => 'lost',
  'paid, and never answers': () => 'slow',
  'null, and has paid': () => says(null, 0),
  'a list, and has paid': () => says([paid(STRANGER)], 0),
  'an answer of 5 MB, and has paid': (payer) =>
    says(paid(payer, { extra: 'a'.repeat(5_000_000) }), 0),
  'invalid, though it is good': () => says(invalid),
  'invalid, and has paid': () => says(invalid, 0),
  'invalid, and pays a moment later': () => says(invalid, 500),
  'an error, and nothing done': () => says({}, undefined, 500),
  'no answer': () => 'down',
};
