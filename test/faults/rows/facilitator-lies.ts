import type { Behaviour } from '../../support/payments/facilitator.ts';
import type { LieContext } from './lie-grammar.ts';

/** What a facilitator does with the payment of one payer. */
interface Told {
  readonly settle?: Behaviour;
}

export interface FacilitatorLie {
  readonly name: string;
  readonly tell: (payer: string, context: LieContext) => Told;
}

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

export const facilitatorLies: readonly FacilitatorLie[] = Object.entries<FacilitatorLie['tell']>({
  'paid by an invented transaction': (payer) => ({ settle: says(paid(payer)) }),
  'paid by an invented transaction, and pays later': (payer) => ({
    settle: says(paid(payer), 700),
  }),
  'paid by an earlier transaction': (payer, { paidBefore }) => ({
    settle: says(paid(payer, { transaction: paidBefore })),
  }),
  'paid by another payer': () => ({ settle: says(paid(STRANGER), 0) }),
  'paid on another network': (payer) => ({ settle: says(paid(payer, { network: 'eip155:1' }), 0) }),
  'paid without a transaction': (payer) => ({ settle: says(paid(payer, { transaction: '' }), 0) }),
  'paid by a transaction that is no hash': (payer) => ({
    settle: says(paid(payer, { transaction: { toString: 1 } }), 0),
  }),
  'failed, and has paid': () => ({ settle: says(failed, 0) }),
  'failed, and pays later': () => ({ settle: says(failed, 700) }),
  'failed with an error, and has paid': () => ({ settle: says({ error: 'internal' }, 0, 500) }),
  'refused by the client’s fault, and has paid': () => ({ settle: says(failed, 0, 400) }),
  'pending, and has paid': () => ({ settle: 'pending' }),
  'paid, and the answer is lost': () => ({ settle: 'lost' }),
  'paid, and never answers': () => ({ settle: 'slow' }),
  'null, and has paid': () => ({ settle: says(null, 0) }),
  'a list, and has paid': () => ({ settle: says([paid(STRANGER)], 0) }),
  'an answer of 5 MB, and has paid': (payer) => ({
    settle: says(paid(payer, { extra: 'a'.repeat(5_000_000) }), 0),
  }),
  'invalid, though it is good': () => ({ settle: says(invalid) }),
  'invalid, and has paid': () => ({ settle: says(invalid, 0) }),
  'invalid, and pays a moment later': () => ({ settle: says(invalid, 500) }),
  'an error, and nothing done': () => ({ settle: says({}, undefined, 500) }),
  'no answer': () => ({ settle: 'down' }),
}).map(([name, tell]) => ({ name, tell }));
