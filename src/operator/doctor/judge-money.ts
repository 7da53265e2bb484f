import { LOW_FUNDS } from '../../service/settlement.ts';
import { type Diagnosis, examined } from './diagnosis.ts';

/** Settlements of a wallet below which nothing is sold. */
const NO_FUNDS = 5;

/** Older than any healthy chain's newest block: payments would not be seen in time. */
const MAX_BLOCK_AGE_SECONDS = 120;

/** @param fault why nobody can pay with it; `undefined`: nothing is in the way; `null`: the node does not answer */
export function judgeAsset(fault: string | null | undefined): Diagnosis {
  const { ok, fail } = examined('asset');
  const advice =
    'Set X402_RPC_URL to a node of X402_NETWORK, and X402_PAY_TO to an address of yours.';
  return fault === undefined ? ok('it can be paid with') : fail(fault ?? 'no answer', advice);
}

/** @param ageSeconds of the newest block; `null`: not known */
export function judgeNode(ageSeconds: number | null): Diagnosis {
  const { ok, fail } = examined('node of the chain');
  const advice = 'Set X402_RPC_URL to a node that follows the chain.';
  if (ageSeconds === null) return fail('it does not answer', advice);
  const detail = `its newest block is ${Math.max(0, Math.round(ageSeconds))} s old`;
  return ageSeconds > MAX_BLOCK_AGE_SECONDS ? fail(detail, advice) : ok(detail);
}

/** @param settlements that the wallet's ether pays for at today's fees; `null`: not known */
export function judgeFunds(settlements: number | null): Diagnosis {
  const { ok, warn, fail } = examined('hot wallet');
  const advice = `Send it ether for at least ${LOW_FUNDS} settlements.`;
  if (settlements === null) return fail('its balance cannot be read', 'Check X402_RPC_URL.');
  const detail = `it pays for ${settlements} settlements`;
  if (settlements < NO_FUNDS) return fail(`${detail}: nothing is sold`, advice);
  return settlements < LOW_FUNDS ? warn(detail, advice) : ok(detail);
}

/** @param supports whether it serves our kind of payment; `null`: it does not answer */
export function judgeFacilitator(supports: boolean | null, network: string): Diagnosis {
  const { ok, fail } = examined('facilitator');
  if (supports) return ok(`it settles exact on ${network}`);
  return supports === null
    ? fail('it does not answer', 'Check X402_FACILITATOR_URL and X402_CDP_KEY_FILE.')
    : fail(
        `it does not settle exact on ${network}`,
        'Choose another facilitator, or your own wallet: leave X402_FACILITATOR_URL empty.',
      );
}
