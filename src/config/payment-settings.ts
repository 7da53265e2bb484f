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
  PAYMENTS: row(
    choice('on', 'off'),
    'on',
    'off: every report is free to who holds its token, for your own use. Then none of those below may be set.',
  ),
  X402_PAY_TO: row(address, null, 'The address that is paid. Required to sell reports.'),
  X402_RPC_URL: row(url, null, 'A JSON-RPC node of the chain. Required to sell reports.'),
  X402_SECOND_RPC_URL: row(
    url,
    null,
    'A node of another operator, which must agree before anything is decided. Without it one node is believed.',
  ),
  X402_SETTLEMENT: row(
    choice('self', 'facilitator'),
    'self',
    'self: your own wallet sends the transfer. facilitator: a service does.',
  ),
  X402_WALLET_KEY_FILE: row(
    secretFile,
    null,
    'self: a file of one line, 0x and 64 hex digits: the wallet that pays the gas. One key a replica.',
    { fixed: '/run/secrets/wallet_key' },
  ),
  X402_SIGNER_URL: row(
    url,
    null,
    'self: a signer of eth_signTransaction, such as Web3Signer, that holds the key instead of that file.',
  ),
  X402_WALLET_ADDRESS: row(address, null, "self: with X402_SIGNER_URL, the wallet's address."),
  X402_WALLET_FACTORIES: row(
    factories,
    FACTORIES.join(','),
    "self: contracts that may deploy a buyer's wallet with its first payment (ERC-6492): Coinbase Smart Wallet and Safe.",
  ),
  X402_MAX_FEE_PER_SETTLEMENT: row(
    ether,
    '0.00002',
    'self: the most gas that one settlement may cost, in ether. Above it nothing is sold (502).',
  ),
  X402_MAX_SPEND_PER_HOUR: row(
    ether,
    '0.002',
    'self: the most gas that a replica may pay in an hour, in ether. Above it nothing is sold (502).',
  ),
  X402_FACILITATOR_URL: row(url, null, 'facilitator: its address.'),
  X402_CDP_KEY_ID: row(line, null, "facilitator: the id of CDP's key, if it is CDP's."),
  X402_CDP_KEY_SECRET_FILE: row(file, null, 'facilitator: a file with the secret of that key.'),
  X402_NETWORK: row(chain, 'eip155:8453', 'The chain. Base Sepolia is eip155:84532.'),
  X402_ASSET: row(
    address,
    '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    'The token: USDC of that chain.',
  ),
  X402_ASSET_NAME: row(line, 'USD Coin', "The token's name(); USDC on Base Sepolia."),
  X402_ASSET_VERSION: row(line, '2', "The token's version()."),
  X402_AMOUNT: row(
    amount,
    '50000',
    "The price in atomic units: 50000 of USDC's six decimals are USD 0.05.",
  ),
};
