/**
 * Judges whether the payer signed a payment, for ordinary keys and for contract wallets, and whether the code
 * at the payer's account refuses a signature by its key (EIP-7702). Also spells a payment's addresses with
 * checksums.
 */

import {
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  getAddress,
  type Hex,
  hashTypedData,
  isAddressEqual,
  maxUint256,
  parseSignature,
  recoverAddress,
  serializeSignature,
  size,
} from 'viem';
import { isErc6492Signature } from 'viem/utils';
import { TRANSFER_TYPES } from '../../domain/transfer-authorization.ts';
import type { Authorization } from '../../domain/x402.ts';
import type { PayerVerdict, SignedPayment } from '../../ports/payment.ts';
import { deploymentOf } from './deployment.ts';
import { isAnswer, type Rpc } from './rpc.ts';

/** Half of the order of secp256k1: the token rejects signatures with a larger `s`. */
const LARGEST_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * Judges whether the payer signed a payment. The key of an ordinary account is recovered here. For a contract
 * wallet, deployed or not, the node decides. The node learns nothing about a key's own signature, whatever
 * code it reports at that account. That code may still refuse the transfer. Any contract may deploy a payer's
 * wallet with its first payment (ERC-6492): whatever it does runs together with the transfer or not at all,
 * and its gas is limited.
 */
export async function judgeSignature(rpc: Rpc, payment: SignedPayment): Promise<PayerVerdict> {
  const address = payment.authorization.from as Hex;
  const hash = signedHash(payment);
  if (!hash) return WRONG;
  const { signature } = payment;
  const own = await ownSignature(payment, hash);
  if (own)
    return own.isTaken ? { ok: true, payment: { ...payment, signature: own.signature } } : WRONG;
  if (isErc6492Signature(signature) && !deploymentOf(payment)) return WRONG;
  // If there is no code at the address, the validator recovers a key from 65 bytes, and an invalid signature
  // yields the zero address.
  const isWallet = size(signature) !== 65 || (await rpc.getCode({ address })) !== undefined;
  const isTaken = isWallet && (await isSignedByWallet(rpc, address, hash, signature));
  return isTaken ? { ok: true, payment } : WRONG;
}

/** Returns whether a key signed the payment. No node learns that signature before the start. */
export async function isSignedByKey(payment: SignedPayment): Promise<boolean> {
  const hash = signedHash(payment);
  return hash !== undefined && (await ownSignature(payment, hash)) !== undefined;
}

interface Recovered {
  readonly hash: Hex;
  readonly signature: Hex;
  readonly own: ReturnType<typeof signatureOfKey>;
}

/**
 * Signatures that were checked before, keyed by what was signed: a payment is examined several times, and
 * recovering a key takes a millisecond.
 */
const recovered = new WeakMap<Authorization, Recovered>();

function ownSignature({ authorization, signature }: SignedPayment, hash: Hex): Recovered['own'] {
  const known = recovered.get(authorization);
  if (known?.hash === hash && known.signature === signature) return known.own;
  const own = signatureOfKey(hash, signature, authorization.from as Hex);
  recovered.set(authorization, { hash, signature, own });
  return own;
}

/**
 * Spells addresses with EIP-55 checksums, because the library otherwise refuses to encode addresses with
 * capital letters.
 */
export const spell = (payment: SignedPayment): SignedPayment => {
  const { from, to } = payment.authorization;
  const authorization = { ...payment.authorization, from: getAddress(from), to: getAddress(to) };
  return { ...payment, authorization };
};

/**
 * Returns whether the payer's own key signed a payment that the code at its account refuses (EIP-7702): the
 * token asks that code instead of the key. Call it only for a payment that is started, because the node
 * learns its signature.
 *
 * @throws if the node does not respond
 */
export async function isRefusedByCode(rpc: Rpc, payment: SignedPayment): Promise<boolean> {
  const hash = signedHash(payment);
  const address = payment.authorization.from as Hex;
  if (!hash || !(await signatureOfKey(hash, payment.signature, address))) return false;
  if ((await rpc.getCode({ address })) === undefined) return false;
  return !(await isSignedByWallet(rpc, address, hash, payment.signature));
}

const WRONG: PayerVerdict = { ok: false, reason: 'invalid_exact_evm_signature' };

/**
 * Returns the EIP-712 hash for the domain that we offered, or `undefined` if a number is too large for any
 * token.
 */
function signedHash({ requirements, authorization }: SignedPayment): Hex | undefined {
  const { asset, network, extra } = requirements;
  const { value, validAfter, validBefore } = authorization;
  if ([validAfter, validBefore].some((time) => BigInt(time) > maxUint256)) return undefined;
  return hashTypedData({
    domain: {
      name: `${extra?.name}`,
      version: `${extra?.version}`,
      chainId: Number(network.slice('eip155:'.length)),
      verifyingContract: asset as Hex,
    },
    types: TRANSFER_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      from: authorization.from as Hex,
      to: authorization.to as Hex,
      nonce: authorization.nonce as Hex,
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
    },
  });
}

/**
 * Returns the signature and whether the token accepts it, or `undefined` if this key did not sign. In the
 * result, `v` is 27 or 28, although some wallets write it as 0 or 1.
 */
async function signatureOfKey(hash: Hex, bytes: Hex, signer: Hex) {
  if (size(bytes) !== 65) return undefined;
  try {
    const { r, s, yParity } = parseSignature(bytes);
    const signature = serializeSignature({ r, s, yParity });
    const isHis = isAddressEqual(await recoverAddress({ hash, signature }), signer);
    return isHis ? { signature, isTaken: BigInt(s) <= LARGEST_S } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Checks ERC-1271, and ERC-6492 for a wallet that does not exist yet: the node runs the validator of that
 * standard, which receives the hash and no transfer.
 *
 * @throws if the node does not respond
 */
async function isSignedByWallet(rpc: Rpc, wallet: Hex, hash: Hex, signature: Hex) {
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [wallet, hash, signature],
  });
  try {
    const { data: answer } = await rpc.call({ data });
    return BigInt(answer ?? 0) === 1n;
  } catch (error) {
    if (isAnswer(error)) return false;
    throw error;
  }
}
