import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/**
 * Who sends a request: the framework's `request.ip`, for requests that it does not see.
 *
 * @param trusted addresses or CIDRs of proxies whose `X-Forwarded-For` is believed
 */
export function requestAddress(trusted: readonly string[]): (request: IncomingMessage) => string {
  if (trusted.length === 0) return ({ socket }) => socket.remoteAddress ?? '';
  const isTrusted = proxyAddr.compile([...trusted]);
  return (request) => proxyAddr(request, isTrusted);
}
