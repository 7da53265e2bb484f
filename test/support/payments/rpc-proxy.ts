import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * What becomes of one request. `pass`: it is answered; `cut`: it never arrives; `lost`: it is done
 * and the answer never arrives; `hang`: no answer, no end; `meanwhile`: it is done, and the answer waits
 * for that; `edit`: its result is changed; another object replaces the answer.
 */
export type Fate =
  | 'pass'
  | 'cut'
  | 'lost'
  | 'hang'
  | { readonly meanwhile: () => Promise<unknown> }
  | { readonly edit: (result: never) => unknown }
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } };

/** A JSON-RPC endpoint in front of another one, that can be made to fail by method. */
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
    if (typeof fate === 'object' && !('meanwhile' in fate) && !('edit' in fate)) {
      response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', id, ...fate }));
      return;
    }
    const answer = await (await fetch(target, { method: 'POST', headers, body })).text();
    if (typeof fate === 'object' && 'edit' in fate) {
      const { result, ...rest } = JSON.parse(answer);
      const edited = { ...rest, result: result && fate.edit(result as never) };
      response.writeHead(200, headers).end(JSON.stringify(edited));
      return;
    }
    if (typeof fate === 'object') await fate.meanwhile();
    if (fate === 'lost') return void request.socket.destroy();
    response.writeHead(200, headers).end(answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The methods asked for, oldest first. */
    calls,
    /** `undefined`: everything passes again. */
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
