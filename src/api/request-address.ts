/**
 * Finds the IP address of the client that sent a request, even if it came through trusted proxies, and
 * removes ports from `X-Forwarded-For`.
 */

import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/** Matches an IPv4 address with a port, or an IPv6 address in brackets with or without a port. */
const WITH_PORT = /^\s*"?(?:(\d[\d.]*\.\d+):\w*|\[([^\]]*)\](?::\w*)?)"?\s*$/;

/**
 * Removes ports from the addresses in `X-Forwarded-For`. Some proxies add the port of the connection, so that
 * the same client would look different each time.
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
 * Returns a function that finds the address of a request's client, like the framework's `request.ip`, for
 * requests that do not reach the framework.
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
