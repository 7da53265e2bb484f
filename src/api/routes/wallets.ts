/** Serves the route that says whether a wallet has enough money to pay for a report. */

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from '@sinclair/typebox';
import { ServiceError } from '../../domain/errors.ts';
import { describeOffer } from '../discovery/manifest.ts';
import type { ApiOptions } from '../options.ts';
import { limitCalls } from '../plugins/rate-limits.ts';
import { answer, problems, ref } from '../schemas/answers.ts';
import { WalletAddress, type WalletState } from '../schemas/wallets.ts';

/**
 * Limits per minute for one client and for all clients together, because each response costs a call to the
 * blockchain node.
 */
const PER_MINUTE = 20;
const PER_MINUTE_OF_ALL = 300;

const Params = Type.Object({ address: WalletAddress });

/**
 * Says whether a wallet can pay for a report, so that nobody sends an email for a report that they could not
 * buy. Anyone can read the balance from the chain.
 */
export const walletRoute: FastifyPluginAsyncTypebox<
  Pick<ApiOptions, 'settings' | 'balanceOf'>
> = async (app, { settings, balanceOf }) => {
  const { payment } = settings;
  if (payment === null || balanceOf === undefined) return;
  const limit = limitCalls(PER_MINUTE, PER_MINUTE_OF_ALL);
  const { price, network, terms } = describeOffer(payment);

  app.get(
    '/v1/wallets/:address',
    {
      schema: {
        operationId: 'getWallet',
        summary: 'Ask whether a wallet can pay',
        description: `Says whether a wallet has the ${price} that a report costs, according to the chain. Ask before you send the email. Free.`,
        tags: ['report'],
        params: Params,
        response: {
          200: answer('The balance of the wallet.', { 'application/json': ref('Wallet') }),
          ...problems(
            'invalid_request',
            'rate_limited',
            'internal_error',
            'facilitator_unavailable',
          ),
        },
      },
    },
    async ({ params, ip }, reply) => {
      limit(ip);
      const { address } = params as Static<typeof Params>;
      const balance = await balanceOf(address).catch((cause: unknown) => {
        throw new ServiceError('facilitator_unavailable', {
          detail:
            'The chain cannot be queried at the moment, so it is unknown whether this wallet can pay. Try again later.',
          headers: { 'retry-after': '5' },
          cause,
        });
      });
      const wallet: WalletState = {
        address,
        network,
        asset: terms.asset,
        balance: String(balance),
        price: terms.amount,
        can_pay: balance >= BigInt(terms.amount),
      };
      return reply.header('cache-control', 'no-store').send(wallet);
    },
  );
};
