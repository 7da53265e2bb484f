/** Defines the fault in which hostile payers attack while honest buyers buy. */

import { authorize } from '../../support/payments/authorization.ts';
import { readReport } from '../../support/payments/payment-environment.ts';
import { toHeader } from '../../support/payments/payment-fixtures.ts';
import { writeReadyTest } from '../../support/payments/ready-test.ts';
import { SALE } from '../client/plan.ts';
import type { Fault, Seen } from '../fault.ts';
import type { World } from '../world/parts.ts';
import { attackers, newPayer } from './attackers.ts';

/** Number of attacks of each kind. */
const ATTACKS = 3;

/** Transactions of ours that one hostile payer may waste. The hour's gas limits all of them together. */
const WASTED_A_PAYER = 1;

/**
 * Bytes that a payer who has not paid may leave in the log, with the longest signature; and what a message
 * has besides its event.
 */
const BYTES_A_PAYER = 12_288;
const OVERHEAD = 300;

/** Hostile payers try to waste our gas and our log, while buyers are served as usual. */
export function hostilePayers(): Fault {
  let payers: ReadonlySet<string> = new Set();
  return {
    name: 'hostile payers',
    kind: 'crowd',
    found: 'contract wallets that pass a simulation, and spent our ether by reverting on the chain',
    plans: Array.from({ length: 4 }, () => SALE),
    attempts: Number.POSITIVE_INFINITY,
    isLong: true,
    async apply(world, _random, { victim }) {
      const target = { http: victim.http() };
      const honest = await newPayer(world.environment, 1);
      const made = await buy(world, target);
      const hostile = attackers(world, target, { victim: () => honest, made: async () => made });
      payers = hostile.payers;
      const ready = Object.values(hostile.attacks).map((prepare) =>
        Promise.all(Array.from({ length: ATTACKS }, prepare)),
      );
      const all = (await Promise.all(ready)).flat();
      const statuses = Promise.all(all.map((attack) => attack().catch(() => 0)));
      return () => statuses;
    },
    holds: ({ payments }) => left(payments, payers),
  };
}

/** Makes a sale that is on the chain, from which anyone may copy it. */
async function buy({ environment, log }: World, target: { readonly http: string }) {
  const { chain } = environment;
  const [payer, test] = await Promise.all([newPayer(environment, 2), writeReadyTest(log)]);
  const { address: from, privateKey: key } = payer;
  const header = toHeader(chain, await authorize(chain, { from, key }));
  await readReport(target, test, header);
  return { header };
}

/** Returns what these payers left beyond what is allowed. */
function left(payments: Seen['payments'], payers: ReadonlySet<string>) {
  const payerOf = new Map<string, string>();
  const wasted = new Map<string, number>();
  const grown = new Map<string, number>();
  const count = (what: typeof wasted, payer: string, by: number) =>
    what.set(payer, (what.get(payer) ?? 0) + by);
  for (const { id, event } of payments) {
    if (event.type === 'SettlementStarted')
      payerOf.set(id, event.data.payload.authorization.from.toLowerCase());
    const payer = payerOf.get(id) ?? '';
    if (!payers.has(payer)) continue;
    count(grown, payer, JSON.stringify(event).length + OVERHEAD);
    if (event.type === 'TransactionSigned' && !event.data.replaces) count(wasted, payer, 1);
    if (event.type === 'PaymentSettled') {
      count(wasted, payer, -1);
      grown.set(payer, 0);
    }
  }
  const most = Math.max(0, ...wasted.values());
  const bytes = Math.max(0, ...grown.values());
  return [
    ...(most > WASTED_A_PAYER ? [`${most} transactions for one hostile payer`] : []),
    ...(bytes > BYTES_A_PAYER ? [`${bytes} bytes of one hostile payer`] : []),
  ];
}
