import { privateKeyToAccount } from 'viem/accounts';
import { CommandError } from '../exit.ts';
import type { PayingAccount } from './account.ts';

/** The account of a private key. @throws CommandError when it is not one */
export function keyAccount(privateKey: `0x${string}`): PayingAccount {
  try {
    return privateKeyToAccount(privateKey);
  } catch {
    // The library's words could hold the key.
    throw new CommandError('wallet_missing', 'The private key is not one of this curve.');
  }
}
