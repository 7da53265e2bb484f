/** Lists the faults in which a node or a facilitator lies. */

import { send } from '../../support/payments/payment-chain.ts';
import { transfersOf } from '../../support/payments/transfers.ts';
import type { Prng } from '../../support/prng/prng.ts';
import { type Plan, SALE } from '../client/plan.ts';
import type { Fault } from '../fault.ts';
import type { World } from '../world/parts.ts';
import { facilitatorLies } from './facilitator-lies.ts';
import type { LieContext, NodeLie } from './lie-grammar.ts';
import { consistentLies, FOUND, furtherNodeLies, nodeLies } from './node-lies.ts';

/** The plan of a buyer who signs again when asked to, which must never cost them twice. */
const PLANS: readonly Plan[] = [SALE];

/** Responses to a buyer during a lie. */
const ATTEMPTS = 2;

async function contextOf({ environment }: World, random: Prng): Promise<LieContext> {
  const { chain } = environment;
  const [earlier] = await transfersOf(chain);
  const answer = await fetch(chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
  });
  const { result } = (await answer.json()) as { result: string };
  return {
    paidBefore: earlier?.transaction ?? '',
    head: Number(result),
    random: random.number,
    send: (call) => void send(chain, chain.hotWallet.privateKey, call).catch(() => undefined),
  };
}

const ofNode = ([name, lie]: readonly [string, NodeLie]): Fault => ({
  name: `a node that shows ${name}`,
  kind: 'lie',
  plans: PLANS,
  attempts: ATTEMPTS,
  ...(FOUND[name] && { found: FOUND[name] }),
  async apply(world, random) {
    const rule = lie(await contextOf(world, random));
    world.node.fail((method, body) => rule(method, JSON.parse(body).params ?? []));
    return () => world.node.fail();
  },
});

/** Everything that one node can show. No report is paid for twice, and none is given away. */
export const liesOfNode: readonly Fault[] = [
  ...Object.entries(nodeLies).map(ofNode),
  ...Object.entries(furtherNodeLies).map((lie) => ({ ...ofNode(lie), isLong: true })),
];

/** Lies that are consistent, so that only a second node can reveal them. */
export const liesThatFit: readonly Fault[] = Object.entries(consistentLies).map(ofNode);

/** Faults in which a facilitator lies, one for everything that it can say and do. */
export const liesOfFacilitator: readonly Fault[] = Object.entries(facilitatorLies).map(
  ([name, tell]) => ({
    name: `a facilitator: ${name}`,
    kind: 'lie',
    plans: PLANS,
    attempts: ATTEMPTS,
    async apply(world, random) {
      const context = await contextOf(world, random);
      world.facilitator.behave({ settle: (payer) => tell(payer, context) });
      return () => world.facilitator.behave({ settle: 'up' });
    },
  }),
);
