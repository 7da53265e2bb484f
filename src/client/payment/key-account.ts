import { privateKeyToAccount } from 'viem/accounts';
import { CommandError } from '../exit.ts';
import type { PayingAccount } from './account.ts';

/**
 * Returns the account that belongs to a private key.
 * @throws CommandError if the key is not valid
 */
export function keyAccount(privateKey: `0x${string}`): PayingAccount {
  try {
    return privateKeyToAccount(privateKey);
  } catch {
    // The library's error message is dropped, because it could contain the key.
    throw new CommandError('wallet_missing', 'The private key is not a valid secp256k1 key.');
  }
}
