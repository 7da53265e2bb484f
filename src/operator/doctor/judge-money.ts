/** Judges everything that selling reports needs: asset, nodes, payee, wallet and facilitator. */

import type { Transfer } from '../../adapters/chain/account-transfers.ts';
import {
  findNodeFault,
  type NodeFault,
  type NodeLook,
  type NodeSetting,
} from '../../domain/node-needs.ts';
import { LOW_FUNDS } from '../../service/settlement.ts';
import { type Diagnosis, examined } from './diagnosis.ts';

/** Number of settlements. If a wallet can pay for fewer, nothing is sold. */
const NO_FUNDS = 5;

/**
 * @param fault why nobody can pay with the asset; `undefined` if people can; `null` if the node does not
 * respond
 */
export function judgeAsset(fault: string | null | undefined): Diagnosis {
  const { ok, fail } = examined('asset');
  const advice =
    'Set X402_RPC_URL to a node of X402_NETWORK, and X402_PAY_TO to an address that you own.';
  return fault === undefined
    ? ok('reports can be paid for with it')
    : fail(fault ?? 'no answer', advice);
}

/** The advice for each need that a node does not meet. */
const NODE_ADVICE: Readonly<Record<NodeFault['need'], string>> = {
  answer: 'Check the URL, its key and the limits of its plan, and that the node is running.',
  network: 'Set the URL of a node of X402_NETWORK.',
  log_range: 'Choose a plan or a node that allows more blocks per log query.',
  history: 'Choose a node that keeps the blocks and logs of at least the last two hours.',
  fresh_head: 'Choose a node that follows the chain.',
  agreement:
    'One of the two lags or follows another chain: compare them, and replace the wrong one.',
};

/** @param look what the node that this setting names shows about itself */
export function judgeNode(
  setting: NodeSetting,
  look: NodeLook | { readonly outage: string },
  { network, now }: { readonly network: string; readonly now: number },
): Diagnosis {
  const { ok, fail } = examined(
    setting === 'X402_RPC_URL' ? 'node of the chain' : 'second node of the chain',
  );
  const fault = findNodeFault(setting, look, { network, now });
  if (fault) return fail(fault.reason, NODE_ADVICE[fault.need]);
  const { time, range } = look as NodeLook;
  const age = Math.max(0, Math.round(now - time));
  return ok(`its newest block is ${age} s old, and it allows ${range} blocks per eth_getLogs`);
}

/** @param fault how the nodes differ; `undefined` if they agree */
export function judgeAgreement(fault: NodeFault | undefined): Diagnosis {
  const { ok, fail } = examined('both nodes of the chain');
  return fault ? fail(fault.reason, NODE_ADVICE[fault.need]) : ok('they have the same blocks');
}

/**
 * @param books recent transfers to the payee that are not payments of this log, or why they are unknown
 * @param now seconds since 1970
 */
export function judgePayee(
  books: { readonly since: number; readonly unknown: readonly Transfer[] } | string,
  now: number,
): Diagnosis {
  const { ok, warn } = examined('payee');
  if (typeof books === 'string')
    return warn(
      `its transfers could not be compared with the log: ${books}`,
      'Check that no other log uses X402_PAY_TO.',
    );
  const hours = Math.ceil((now - books.since) / 3600);
  const count = books.unknown.length;
  if (count === 0)
    return ok(`each transfer of the last ${hours} hours to X402_PAY_TO is a payment of this log`);
  return warn(
    `${count} of the transfers to X402_PAY_TO in the last ${hours} hours are not payments of this log, such as ${books.unknown.at(-1)?.transaction}`,
    'Give each log its own X402_PAY_TO: otherwise one payment can open a report in each log. `npm run operate -- replay payments --reconcile` lists them.',
  );
}

/** @param settlements the number that the wallet's ether pays for at today's fees; `null` if unknown */
export function judgeFunds(settlements: number | null): Diagnosis {
  const { ok, warn, fail } = examined('hot wallet');
  const advice = `Send it ether for at least ${LOW_FUNDS} settlements.`;
  if (settlements === null) return fail('its balance cannot be read', 'Check X402_RPC_URL.');
  const detail = `it can pay for ${settlements} settlements`;
  if (settlements < NO_FUNDS) return fail(`${detail}: nothing is sold`, advice);
  return settlements < LOW_FUNDS ? warn(detail, advice) : ok(detail);
}

/** @param supports whether the facilitator supports our kind of payment; `null` if it does not respond */
export function judgeFacilitator(supports: boolean | null, network: string): Diagnosis {
  const { ok, fail } = examined('facilitator');
  if (supports) return ok(`it settles "exact" payments on ${network}`);
  return supports === null
    ? fail('it does not answer', 'Check X402_FACILITATOR_URL and X402_CDP_KEY_FILE.')
    : fail(
        `it does not settle "exact" payments on ${network}`,
        'Choose another facilitator, or your own wallet: leave X402_FACILITATOR_URL empty.',
      );
}
