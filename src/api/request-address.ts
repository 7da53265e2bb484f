/** Finds the address of the client that sent a request, even behind trusted proxies. */

import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/** An IPv4 address with a port, or an IPv6 address in brackets, with or without a port. */
const WITH_PORT = /^\s*"?(?:(\d[\d.]*\.\d+):\w*|\[([^\]]*)\](?::\w*)?)"?\s*$/;

/**
 * Removes ports, because some proxies write an address with the port of its connection, which would look like
 * a different client each time.
 */
export function dropPorts({ headers }: IncomingMessage): void {
  const forwarded = headers['x-forwarded-for'];
  if (typeof forwarded !== 'string' || !forwarded.includes(':')) return;
  headers['x-forwarded-for'] = forwarded
    .split(',')
    .map((one) => one.replace(WITH_PORT, '$1$2'))
    .join(',');
}

/**
 * Returns the sender of a request, like the framework's `request.ip`, for requests that the framework does
 * not see.
 *
 * @param trusted addresses or CIDRs of proxies whose `X-Forwarded-For` is trusted
 */
export function requestAddress(trusted: readonly string[]): (request: IncomingMessage) => string {
  if (trusted.length === 0) return ({ socket }) => socket.remoteAddress ?? '';
  const isTrusted = proxyAddr.compile([...trusted]);
  return (request) => {
    dropPorts(request);
    return proxyAddr(request, isTrusted);
  };
}
