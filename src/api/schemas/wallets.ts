/** Declares the schemas of the route that says whether a wallet can pay for a report. */

import { type Static, Type } from '@sinclair/typebox';
import { text } from '../../domain/report/shapes.ts';

const EXAMPLE = '0x1111111111111111111111111111111111111111';

export const WalletAddress = Type.String({
  pattern: '^0x[0-9a-fA-F]{40}$',
  description: 'The address of a wallet.',
  examples: [EXAMPLE],
});

/** Schema of the response that says whether a wallet can pay for a report. */
export const WalletState = Type.Object(
  {
    address: text('The address of the wallet.', EXAMPLE),
    network: text('The chain id (CAIP-2).', 'eip155:8453'),
    asset: text('The contract of the asset.', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'),
    balance: text('The balance of the asset, in atomic units.', '1250000'),
    price: text('What a report costs, in atomic units.', '50000'),
    can_pay: Type.Boolean({
      description: 'Whether the balance covers a report.',
      examples: [true],
    }),
  },
  { $id: 'Wallet', description: 'The balance of a wallet in the asset that reports are sold for.' },
);
export type WalletState = Static<typeof WalletState>;
