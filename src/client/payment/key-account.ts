import { privateKeyToAccount } from 'viem/accounts';
import { CommandError } from '../exit.ts';
import type { PayingAccount } from './account.ts';

/** Returns the account of a private key. @throws CommandError if it is not one */
export function keyAccount(privateKey: `0x${string}`): PayingAccount {
  try {
    return privateKeyToAccount(privateKey);
  } catch {
    // The library's words could contain the key.
    throw new CommandError('wallet_missing', 'The private key is not a valid secp256k1 key.');
  }
}
