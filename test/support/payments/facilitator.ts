/** Runs a real x402 facilitator on the local chain that can be made to misbehave. */

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { x402Facilitator } from '@x402/core/facilitator';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { createWalletClient, type Hex, http, parseEther, publicActions } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type Chain, LIKE_BASE } from '../../environment/chain.ts';

/**
 * `down` cuts the connection before anything is done. `lost` does it, then cuts the connection. `slow` does
 * it, and never responds. `pending` does it, and responds with HTTP 500 and `settlement_pending`. `meanwhile`
 * does it, and the response waits for that. Another object is the response itself, and nothing is done, or
 * only so many milliseconds later.
 */
export type Behaviour =
  | 'up'
  | 'down'
  | 'lost'
  | 'slow'
  | 'pending'
  | { readonly meanwhile: () => Promise<unknown> }
  | { readonly status: number; readonly body: unknown; readonly doneAfterMs?: number };

/** A behaviour for all calls, or a function that chooses it by the payer. */
type Rule = Behaviour | ((payer: string) => Behaviour);

interface Call {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: { paymentPayload: PaymentPayload; paymentRequirements: PaymentRequirements };
}

/** Starts a real facilitator over HTTP, on the local chain, that can be made to misbehave. */
export async function startFacilitator(chain: Chain, network = 'eip155:8453') {
  const key: Hex = generatePrivateKey();
  const account = privateKeyToAccount(key);
  await chain.fundEther(account.address, parseEther('1'));
  const transport = http(chain.rpcUrl, { retryCount: 0 });
  const wallet = createWalletClient({ account, chain: LIKE_BASE, transport, pollingInterval: 20 });
  const client = { ...wallet.extend(publicActions), address: account.address };
  const facilitator = new x402Facilitator().register(
    network as 'eip155:8453',
    new ExactEvmScheme(toFacilitatorEvmSigner(client as never)),
  );

  const calls: Call[] = [];
  let behaviour: { supported: 'up' | 'down'; settle: Rule } = { supported: 'up', settle: 'up' };
  // Settlements run one after another, because each takes the next nonce of the facilitator's wallet.
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(job: () => Promise<T>): Promise<T> => {
    const mine = queue.then(job);
    queue = mine.catch(() => undefined);
    return mine;
  };
  const work = ({ paymentPayload, paymentRequirements }: Call['body']) =>
    inTurn(() => facilitator.settle(paymentPayload, paymentRequirements));

  /** Returns the response, or `undefined` to cut the connection. */
  async function answer(request: IncomingMessage) {
    const { url: path = '', headers } = request;
    if (path === '/supported')
      return behaviour.supported === 'down'
        ? undefined
        : { status: 200, body: facilitator.getSupported() };
    if (path !== '/settle') return { status: 404, body: {} };
    const rule = behaviour.settle;
    const body = (await json(request)) as Call['body'];
    calls.push({ path, headers, body });
    const how = typeof rule === 'function' ? rule(payerOf(body)) : rule;
    if (typeof how === 'object' && 'status' in how) {
      if (how.doneAfterMs === 0) await work(body);
      else if (how.doneAfterMs) setTimeout(() => void work(body), how.doneAfterMs);
      return how;
    }
    if (how === 'down') return undefined;

    const done = await work(body);
    if (how === 'lost') return undefined;
    if (how === 'slow') return delay(60_000, undefined, { ref: false });
    if (typeof how === 'object') await how.meanwhile();
    if (how === 'up' || typeof how === 'object') return { status: 200, body: done };
    return { status: 500, body: { ...done, success: false, errorReason: 'settlement_pending' } };
  }

  const server = createServer(async (request, response) => {
    const result = await answer(request).catch((error) => ({
      status: 500,
      body: { error: String(error) },
    }));
    if (!result) return void request.socket.destroy();
    response.writeHead(result.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(result.body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Every payment that it was shown, oldest first. */
    calls,
    behave(change: Partial<typeof behaviour>) {
      behaviour = { ...behaviour, ...change };
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const payerOf = ({ paymentPayload }: Call['body']) =>
  (paymentPayload.payload as { authorization: { from: string } }).authorization.from;
