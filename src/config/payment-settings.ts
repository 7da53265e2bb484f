import { USDC } from '../domain/usdc.ts';
import {
  address,
  amount,
  chain,
  choice,
  ether,
  factories,
  file,
  line,
  secretFile,
  url,
} from './kinds.ts';
import { row } from './row.ts';

/** Deployed at these addresses on every chain. */
const FACTORIES = [
  // Coinbase Smart Wallet 1 and 1.1.
  '0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a',
  '0xBA5ED110eFDBa3D005bfC882d75358ACBbB85842',
  // Safe 1.3.0, at both of its addresses, and 1.4.1.
  '0xa6B71E26C5e0845f74c812102Ca7114b6a896AB2',
  '0xC22834581EbC8527d974F8a1c97E1bEA4EF910BC',
  '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67',
];

export const paymentSettings = {
  PAYMENTS: row(choice('on', 'off'), 'on'),
  X402_PAY_TO: row(address, null),
  X402_RPC_URL: row(url, null),
  X402_SECOND_RPC_URL: row(url, null),
  X402_SETTLEMENT: row(choice('self', 'facilitator'), 'self'),
  X402_WALLET_KEY_FILE: row(secretFile, null, { fixed: '/run/secrets/wallet_key' }),
  X402_SIGNER_URL: row(url, null),
  X402_WALLET_ADDRESS: row(address, null),
  X402_WALLET_FACTORIES: row(factories, FACTORIES.join(',')),
  X402_MAX_FEE_PER_SETTLEMENT: row(ether, '0.00002'),
  X402_MAX_SPEND_PER_HOUR: row(ether, '0.002'),
  X402_FACILITATOR_URL: row(url, null),
  X402_CDP_KEY_ID: row(line, null),
  X402_CDP_KEY_SECRET_FILE: row(file, null),
  X402_NETWORK: row(chain, 'eip155:8453'),
  X402_ASSET: row(address, USDC['eip155:8453'].address),
  X402_ASSET_NAME: row(line, 'USD Coin'),
  X402_ASSET_VERSION: row(line, '2'),
  X402_AMOUNT: row(amount, '50000'),
};
