/** Runs a JSON-RPC proxy in front of a chain node that can be made to fail or lie. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * The fate of one request. `pass` lets it through; with `cut` it never arrives; with `lost` it is done but
 * the response never arrives; with `hang` there is neither a response nor an end; with `meanwhile` it is
 * done, and the response waits for that; `edit` changes its result; `ask` sends another request, and changes
 * its result; `raw` is the body of the response; with `isDone` it is done, but the response is that error;
 * another object replaces the response.
 */
export type Fate =
  | 'pass'
  | 'cut'
  | 'lost'
  | 'hang'
  | { readonly meanwhile: () => Promise<unknown> }
  | { readonly edit: (result: never) => unknown }
  | { readonly ask: readonly unknown[]; readonly edit?: (result: never) => unknown }
  | { readonly raw: string }
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string }; readonly isDone?: true };

/** A plan that allows this many blocks per query of logs. */
export const grantsOnly =
  (blocks: number) =>
  (method: string, body: string): Fate => {
    if (method !== 'eth_getLogs') return 'pass';
    const { fromBlock, toBlock } = JSON.parse(body).params[0];
    const message = `eth_getLogs is limited to ${blocks} blocks`;
    return Number(toBlock) - Number(fromBlock) < blocks
      ? 'pass'
      : { error: { code: -32600, message } };
  };

/** Starts a JSON-RPC endpoint in front of another one, which can be made to fail by method. */
export async function startRpcProxy(target: string) {
  const calls: string[] = [];
  let rule: (method: string, body: string) => Fate = () => 'pass';

  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { id, method } = JSON.parse(body);
    calls.push(method);
    const fate = rule(method, body);
    if (fate === 'hang') return;
    if (fate === 'cut') return void request.socket.destroy();
    const headers = { 'content-type': 'application/json' };
    const reply = (text: string) => void response.writeHead(200, headers).end(text);
    const ask = async (asked = body) =>
      (await fetch(target, { method: 'POST', headers, body: asked })).text();
    if (fate === 'pass') return reply(await ask());
    if (fate === 'lost') {
      await ask();
      return void request.socket.destroy();
    }
    if ('raw' in fate) return reply(fate.raw);
    if ('meanwhile' in fate) {
      const answer = await ask();
      await fate.meanwhile();
      return reply(answer);
    }
    if ('isDone' in fate) await ask();
    if (!('edit' in fate) && !('ask' in fate))
      return reply(JSON.stringify({ jsonrpc: '2.0', id, ...fate }));
    const { edit = (result: never) => result } = fate;
    const params = 'ask' in fate ? fate.ask : JSON.parse(body).params;
    const { result, ...rest } = JSON.parse(
      await ask(JSON.stringify({ jsonrpc: '2.0', id, method, params })),
    );
    return reply(JSON.stringify({ ...rest, result: result && edit(result as never) }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The methods that were called, oldest first. */
    calls,
    /** Sets which calls fail and how. Without an argument, every call passes again. */
    fail(next?: (method: string, body: string) => Fate) {
      rule = next ?? (() => 'pass');
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
