/** Fetches what senders publish over HTTPS, from public addresses only. */

import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import type { Resolver } from '../../ports/dns.ts';
import type { Fetched, GuardedFetch } from '../../ports/web.ts';
import { createAddressGuard } from './address-guard.ts';

/** Time limit for the whole fetch, in milliseconds. */
const DEADLINE_MS = 5000;

/** Maximum number of addresses that are tried, one after another. */
const MAX_ADDRESSES = 3;

const MAX_HEADER_BYTES = 16 * 1024;

/** Maximum number of interim responses (RFC 9110 §15.2) before the final one. */
const MAX_INTERIM = 10;

/** A server for tests and the demo, which have no certificates from the authorities of the public web. */
export interface FetchOverride {
  /** Where every connection goes, whatever the name resolves to. */
  readonly connect: string;
  readonly port: number;
  /** The trusted authority, as PEM. */
  readonly ca: string;
}

export interface FetchOptions {
  readonly override?: FetchOverride;
  /** The NAT64 prefixes of this network. */
  readonly nat64Prefixes?: readonly string[];
  readonly deadlineMs?: number;
}

/** Connection failures that are the server's fault. All others may be those of our own network. */
const THEIRS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed',
  EPIPE: 'connection closed',
  EPROTO: 'no TLS',
};

/**
 * Errors that mean that this machine has no socket, port or memory left. They say nothing about the sender.
 */
const SHORT: ReadonlySet<string> = new Set([
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'EADDRNOTAVAIL',
  'EAGAIN',
]);

/**
 * Fetches what a sender publishes. The name is looked up by the email's resolver, and the connection goes to
 * an address that was checked, so that no second lookup can send it elsewhere.
 */
export function createGuardedFetch({
  override,
  nat64Prefixes,
  deadlineMs = DEADLINE_MS,
}: FetchOptions = {}): GuardedFetch {
  const isAllowed = createAddressGuard(nat64Prefixes, override !== undefined);
  return async (text, { maxBytes, resolver }) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url?.protocol !== 'https:' || url.port !== '' || url.username || url.password)
      return failed('theirs', 'not an https URL on port 443');
    const signal = AbortSignal.timeout(deadlineMs);
    const found = await Promise.race([findAddresses(resolver, url.hostname), aborted(signal)]);
    if (!Array.isArray(found)) return found;
    const allowed = found.filter(isAllowed);
    if (allowed.length === 0) return failed('ours', 'no public address');

    let last: Fetched = failed('ours', 'no public address');
    for (const address of allowed.slice(0, MAX_ADDRESSES)) {
      const fetching = fetchFrom(url, override?.connect ?? address, {
        maxBytes,
        signal,
        onShort: resolver.starve,
        ...(override && { port: override.port, ca: override.ca }),
      });
      // The deadline applies even if Node.js fails to emit an event.
      last = await Promise.race([fetching, aborted(signal)]);
      if (last.status === 'fetched' || signal.aborted || last.reason === 'too_large') return last;
    }
    return last;
  };
}

const failed = (fault: 'ours' | 'theirs', reason: string): Fetched => ({
  status: 'failed',
  fault,
  reason,
});

const aborted = (signal: AbortSignal) =>
  new Promise<Fetched>((resolve) =>
    signal.addEventListener('abort', () => resolve(failed('ours', 'no answer in time')), {
      once: true,
    }),
  );

async function findAddresses(resolver: Resolver, host: string): Promise<string[] | Fetched> {
  // A literal needs no lookup, but is guarded like any other address.
  if (/^[\d.]+$/.test(host) || host.startsWith('[')) return [host.replace(/^\[|\]$/g, '')];
  const answers = await Promise.all([
    resolver.addresses(host, 'A'),
    resolver.addresses(host, 'AAAA'),
  ]);
  const addresses = answers.flatMap((answer) =>
    answer.status === 'found' ? [...answer.records] : [],
  );
  if (addresses.length > 0) return addresses;
  return answers.some(({ status }) => status === 'failed')
    ? failed('ours', 'its host could not be looked up')
    : failed('theirs', 'its host has no address');
}

interface Request {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly onShort: () => void;
  readonly port?: number;
  readonly ca?: string;
}

function fetchFrom(url: URL, address: string, { maxBytes, signal, onShort, port, ca }: Request) {
  return new Promise<Fetched>((resolve) => {
    const fail = (error: unknown) => {
      const code = codeOf(error);
      if (SHORT.has(code)) onShort();
      resolve(signal.aborted ? failed('ours', 'no answer in time') : toFailure(code));
    };
    const options: RequestOptions = {
      host: address,
      // The certificate and the virtual host belong to the name, not to the address.
      servername: url.hostname,
      port: port ?? 443,
      path: `${url.pathname}${url.search}`,
      headers: { host: url.hostname, accept: '*/*', 'accept-encoding': 'identity' },
      agent: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      minVersion: 'TLSv1.2',
      signal,
      ...(ca !== undefined && { ca }),
    };
    const refuse = () => {
      resolve(failed('theirs', 'no HTTP'));
      call.destroy();
    };
    let interim = 0;
    const call = request(options, (response) => {
      // A 101 response that names no upgrade is not valid.
      if (response.statusCode === 101) return refuse();
      call.off('close', refuse);
      readBody(response, maxBytes).then((body) => {
        if (body === null) call.destroy();
        resolve(body === null ? failed('ours', 'too_large') : toFetched(response, body));
      }, fail);
    });
    call.on('error', fail);
    // After a 101 response to a request without an upgrade, Node.js emits no other event.
    call.on('close', refuse);
    call.on('information', () => {
      interim += 1;
      if (interim > MAX_INTERIM) refuse();
    });
    call.end();
  });
}

/** Reads the body of a response, or returns null if it is longer than `maxBytes`. */
async function readBody(response: IncomingMessage, maxBytes: number): Promise<Uint8Array | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const toFetched = (response: IncomingMessage, body: Uint8Array): Fetched => ({
  status: 'fetched',
  httpStatus: response.statusCode ?? 0,
  contentType: response.headers['content-type'] ?? '',
  body,
});

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Describes a failure in our own words, because an error's text names addresses. */
function toFailure(code: string): Fetched {
  if (/CERT|SIGNATURE|ISSUER|SELF_SIGNED|ALTNAME/.test(code))
    return failed('theirs', 'its certificate is not valid');
  if (/^(?:ERR_SSL|ERR_TLS)/.test(code)) return failed('theirs', 'no TLS');
  if (/^HPE_/.test(code)) return failed('theirs', 'no HTTP');
  const theirs = THEIRS[code];
  return theirs ? failed('theirs', theirs) : failed('ours', 'could not be reached');
}
