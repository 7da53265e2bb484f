import { x402Facilitator } from '@x402/core/facilitator';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { encodeFunctionData, type Hex } from 'viem';
import type { SignedPayment } from '../../ports/payment.ts';
import { type Call, deployAnd } from './deployment.ts';
import { isAnswer, type Rpc, RpcError } from './rpc.ts';

type Signer = ConstructorParameters<typeof ExactEvmScheme>[0];
type Receipt = Awaited<ReturnType<Signer['waitForTransactionReceipt']>>;

/** What the scheme needs besides reading: who pays for gas, how to send, how to wait. */
export interface Sender {
  readonly address: Hex;
  send(to: Hex, data: Hex): Promise<Hex>;
  wait(): Promise<Receipt>;
}

/** Stands for the hash of a deployment that is not sent by itself. */
const DEPLOYED_LATER: Hex = `0x${'0'.repeat(64)}`;

/**
 * The official facilitator for one payment. It takes a failed read for a payment that is wrong, so
 * what the RPC did not answer is noted here: `failure()` says whether to believe a "no".
 *
 * @param simulating our own simulation of the transfer: one that succeeds is not repeated
 */
export function officialScheme(
  rpc: Rpc,
  sender: Sender,
  { requirements, signature, authorization }: SignedPayment,
  factories: readonly string[],
  simulating?: Promise<boolean>,
) {
  let deployment: Call | undefined;
  let failure: RpcError | undefined;
  const note = (error: unknown) => {
    if (!isAnswer(error)) failure ??= new RpcError(error);
    return error;
  };

  // The scheme asks for the same code several times.
  const codes = new Map<string, Promise<Hex | undefined>>();
  const codeOf = ({ address }: { address: Hex }) => {
    const key = address.toLowerCase();
    const found = codes.get(key) ?? rpc.getCode({ address }).catch((error) => void note(error));
    codes.set(key, found);
    return found;
  };

  const signer: Signer = {
    getAddresses: () => [sender.address],
    readContract: async (call) => {
      const isTransfer = call.functionName === 'transferWithAuthorization';
      if (isTransfer && (await simulating?.catch(() => false))) return undefined;
      try {
        return await rpc.readContract(call as never);
      } catch (error) {
        throw note(error);
      }
    },
    // Never rejects: the scheme leaves one of these promises unobserved when it refuses early.
    getCode: codeOf,
    verifyTypedData: () => Promise.reject(new Error('not used by this scheme')),
    writeContract: ({ address, ...call }) => {
      const transfer = { to: address, data: encodeFunctionData(call as never) };
      const { to, data } = deployment ? deployAnd(deployment, transfer) : transfer;
      return sender.send(to, data);
    },
    // The deployment of the payer's wallet: it goes with the transfer, in one transaction.
    async sendTransaction({ to, data }) {
      deployment = { to, data };
      return DEPLOYED_LATER;
    },
    waitForTransactionReceipt: ({ hash }) =>
      hash === DEPLOYED_LATER ? Promise.resolve({ status: 'success' }) : sender.wait(),
  };
  const facilitator = new x402Facilitator().register(
    requirements.network as `${string}:${string}`,
    // What is to be sent is simulated by the estimate of its gas: not a second time.
    new ExactEvmScheme(signer, { eip6492AllowedFactories: [...factories] }),
  );
  const terms = requirements as PaymentRequirements;
  const payload: PaymentPayload = {
    x402Version: 2,
    accepted: terms,
    payload: { signature, authorization },
  };

  return {
    failure: () => failure,
    /** Of the payer; `undefined` for a plain account. */
    code: () => codeOf({ address: authorization.from as Hex }),
    note,
    verify: () => facilitator.verify(payload, terms),
    settle: () => facilitator.settle(payload, terms),
  };
}
