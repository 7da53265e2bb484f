import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/** An address of version 4 with a port, or one of version 6 in brackets, with or without. */
const WITH_PORT = /^\s*"?(?:(\d[\d.]*\.\d+):\w*|\[([^\]]*)\](?::\w*)?)"?\s*$/;

/** Some proxies write an address with the port of its connection, which would be another client each time. */
export function dropPorts({ headers }: IncomingMessage): void {
  const forwarded = headers['x-forwarded-for'];
  if (typeof forwarded !== 'string' || !forwarded.includes(':')) return;
  headers['x-forwarded-for'] = forwarded
    .split(',')
    .map((one) => one.replace(WITH_PORT, '$1$2'))
    .join(',');
}

/**
 * Who sends a request: the framework's `request.ip`, for requests that it does not see.
 *
 * @param trusted addresses or CIDRs of proxies whose `X-Forwarded-For` is believed
 */
export function requestAddress(trusted: readonly string[]): (request: IncomingMessage) => string {
  if (trusted.length === 0) return ({ socket }) => socket.remoteAddress ?? '';
  const isTrusted = proxyAddr.compile([...trusted]);
  return (request) => {
    dropPorts(request);
    return proxyAddr(request, isTrusted);
  };
}
