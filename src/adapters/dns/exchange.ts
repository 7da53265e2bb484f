/**
 * Parses the addresses of DNS servers, sends a query to one server after another, over UDP and if necessary
 * over TCP, until one gives a definite answer, and recognizes answers with invalid DNSSEC signatures.
 */

import { connect, isIPv6 } from 'node:net';
import type { DnsAnswer, RecordType } from '../../ports/dns.ts';
import { decodeReply, encodeQuery, type RecordData, type Reply } from './message.ts';
import { createUdp, type QueryByUdp, type Server } from './udp.ts';

/** A DNS server, and how it is queried. */
export interface AskedServer extends Server {
  readonly queryByUdp: QueryByUdp;
}

export interface RetryPolicy {
  /** Time limit for one try, in milliseconds. */
  readonly timeoutMs: number;
  readonly tries: number;
}

export function toServer(text: string): AskedServer {
  const server = parseServer(text);
  return { ...server, queryByUdp: createUdp(server) };
}

/** Reads a server's address: `192.0.2.53`, `192.0.2.53:5353`, `[2001:db8::53]:5353` or `2001:db8::53`. */
function parseServer(text: string): Server {
  const bracketed = /^\[([^\]]+)\](?::(\d+))?$/.exec(text);
  if (bracketed) return { host: bracketed[1] ?? '', port: Number(bracketed[2] ?? 53) };
  if (isIPv6(text)) return { host: text, port: 53 };
  const [host = '', port = '53'] = text.split(':');
  return { host, port: Number(port) };
}

/** Sends one query to one server after another until an answer is definite. Never rejects. */
export async function queryServers(
  servers: readonly AskedServer[],
  name: string,
  type: RecordType,
  { timeoutMs, tries }: RetryPolicy,
): Promise<DnsAnswer<RecordData>> {
  // A failure at one server is final for that server only, because another may know more.
  let failed: Extract<DnsAnswer<never>, { status: 'failed' }> = {
    status: 'failed',
    error: 'TIMEOUT',
  };
  const question = { name, type, timeoutMs };
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const server = servers[attempt % servers.length];
    if (!server) return { status: 'failed', error: 'NO_SERVER' };
    const deadline = performance.now() + timeoutMs;
    const withEdns = await queryServer(server, { name, type, edns: true }, deadline);
    // A server that does not know EDNS gets the query again without it (RFC 6891 §7).
    const reply =
      withEdns.status === 'failed' && withEdns.error === 'FORMERR'
        ? await queryServer(server, { name, type, edns: false }, deadline)
        : withEdns;
    if (reply.status !== 'failed') return reply;
    failed = reply;
    const isSilence = reply.error === 'TIMEOUT' || reply.error === 'UNREACHABLE';
    if (!isSilence && servers.length === 1) break;
  }
  const isBogus = failed.error === 'SERVFAIL' && (await isAnsweredUnchecked(servers, question));
  return isBogus ? { status: 'failed', error: 'BOGUS' } : failed;
}

/**
 * Returns whether a query is answered only if DNSSEC is left unchecked. If so, its signatures are invalid and
 * its servers work (RFC 4035 §3.2.2).
 */
async function isAnsweredUnchecked(
  [server]: readonly AskedServer[],
  { name, type, timeoutMs }: Pick<Query, 'name' | 'type'> & Pick<RetryPolicy, 'timeoutMs'>,
): Promise<boolean> {
  if (!server) return false;
  const query = { name, type, edns: true, unchecked: true };
  const reply = await queryServer(server, query, performance.now() + timeoutMs);
  return reply.status !== 'failed';
}

interface Query {
  readonly name: string;
  readonly type: RecordType;
  readonly edns: boolean;
  /** True if DNSSEC signatures are left unchecked. */
  readonly unchecked?: boolean;
}

async function queryServer(
  server: AskedServer,
  { name, type, edns, unchecked = false }: Query,
  deadline: number,
): Promise<DnsAnswer<RecordData>> {
  const remaining = () => Math.max(deadline - performance.now(), 1);
  const query = encodeQuery(0, name, type, { edns, unchecked });
  if (!query) return { status: 'nxdomain', cnames: [] };
  const reply = await server.queryByUdp(query, type, remaining());
  if (reply.status !== 'truncated') return reply;
  const whole = await queryByTcp(server, query, type, remaining());
  return whole.status === 'truncated' ? ({ status: 'failed', error: 'MALFORMED' } as const) : whole;
}

const failure = (error: string): Reply => ({ status: 'failed', error });

/** Repeats a query over TCP, with the id with which it was last sent over UDP. */
function queryByTcp({ host, port }: Server, query: Buffer, type: RecordType, timeoutMs: number) {
  return new Promise<Reply>((resolve) => {
    const socket = connect({ host, port });
    let received = Buffer.alloc(0);
    const end = (reply: Reply) => {
      clearTimeout(timer);
      socket.removeAllListeners().on('error', () => {});
      socket.destroy();
      resolve(reply);
    };
    const timer = setTimeout(() => setImmediate(() => end(failure('TIMEOUT'))), timeoutMs);
    socket.on('error', () => end(failure('UNREACHABLE')));
    socket.on('end', () => end(failure('UNREACHABLE')));
    socket.on('connect', () => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(query.length);
      socket.write(Buffer.concat([length, query]));
    });
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      const message = received.subarray(2, 2 + received.readUInt16BE(0));
      end(decodeReply(query, message, type) ?? failure('MALFORMED'));
    });
  });
}
