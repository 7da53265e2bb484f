import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import type { DnsAnswer, RecordType } from '../../ports/dns.ts';
import { decodeReply, encodeQuery, type RecordData, type Reply } from './message.ts';

/** A DNS server. */
export interface Server {
  readonly host: string;
  readonly port: number;
}

export interface RetryPolicy {
  /** Milliseconds for one try. */
  readonly timeoutMs: number;
  readonly tries: number;
}

/** `192.0.2.53`, `192.0.2.53:5353`, `[2001:db8::53]:5353` or `2001:db8::53`. */
export function parseServer(text: string): Server {
  const bracketed = /^\[([^\]]+)\](?::(\d+))?$/.exec(text);
  if (bracketed) return { host: bracketed[1] ?? '', port: Number(bracketed[2] ?? 53) };
  if (isIPv6(text)) return { host: text, port: 53 };
  const [host = '', port = '53'] = text.split(':');
  return { host, port: Number(port) };
}

/** Sends one query to one server after another until an answer is definite. Never rejects. */
export async function queryServers(
  servers: readonly Server[],
  name: string,
  type: RecordType,
  { timeoutMs, tries }: RetryPolicy,
): Promise<DnsAnswer<RecordData>> {
  // One server's own failure is final; another may know more.
  let failed: DnsAnswer<never> = { status: 'failed', error: 'TIMEOUT' };
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const server = servers[attempt % servers.length];
    if (!server) return { status: 'failed', error: 'NO_SERVER' };
    const deadline = performance.now() + timeoutMs;
    const withEdns = await queryServer(server, { name, type, edns: true }, deadline);
    // RFC 6891 §7: a server that does not know EDNS gets the query again without it.
    const reply =
      withEdns.status === 'failed' && withEdns.error === 'FORMERR'
        ? await queryServer(server, { name, type, edns: false }, deadline)
        : withEdns;
    if (reply.status !== 'failed') return reply;
    failed = reply;
    const isSilence = reply.error === 'TIMEOUT' || reply.error === 'UNREACHABLE';
    if (!isSilence && servers.length === 1) return reply;
  }
  return failed;
}

interface Query {
  readonly name: string;
  readonly type: RecordType;
  readonly edns: boolean;
}

async function queryServer(
  server: Server,
  { name, type, edns }: Query,
  deadline: number,
): Promise<DnsAnswer<RecordData>> {
  const remaining = () => Math.max(deadline - performance.now(), 1);
  // A fresh id and port for each try: RFC 5452 §9.
  const query = encodeQuery(randomInt(0x10000), name, type, edns);
  if (!query) return { status: 'nxdomain', cnames: [] };
  const reply = await queryByUdp(server, query, type, remaining());
  if (reply.status !== 'truncated') return reply;
  const whole = await queryByTcp(server, query, type, remaining());
  return whole.status === 'truncated' ? ({ status: 'failed', error: 'MALFORMED' } as const) : whole;
}

const failure = (error: string): Reply => ({ status: 'failed', error });

function queryByUdp({ host, port }: Server, query: Buffer, type: RecordType, timeoutMs: number) {
  return new Promise<Reply>((resolve) => {
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
    let isOver = false;
    const end = (reply: Reply) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      socket.removeAllListeners().on('error', () => {});
      socket.close();
      resolve(reply);
    };
    // An answer that came while this thread was busy is read first.
    const expire = () => setImmediate(() => end(failure('TIMEOUT')));
    const timer = setTimeout(expire, timeoutMs);
    socket.on('error', () => end(failure('UNREACHABLE')));
    socket.on('message', (message) => {
      // A message that is no answer may be a forger's: the true one can still come.
      const reply = decodeReply(query, message, type);
      if (reply) end(reply);
    });
    // Connected: only this server's messages come in, and a closed port is an error at once.
    // Without a callback, which would swallow the error of a network that is not there.
    socket.on('connect', () => socket.send(query, () => {}));
    socket.connect(port, host);
  });
}

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
    const timer = setTimeout(() => end(failure('TIMEOUT')), timeoutMs);
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
