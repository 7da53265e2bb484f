/**
 * Runs a DNS server for the demo and the tests, which answers from a given zone, or fails or is late as it is
 * told.
 */

import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { type Query, readQuery, TCP_MAX_BYTES, writeAnswer } from './dns-message.ts';
import { answerFromZone, type DnsFault, type Zone, type ZoneAnswer } from './dns-zone.ts';

export interface DnsServerOptions {
  readonly zone: Zone;
  /** 0 means any free one. */
  readonly port?: number;
  readonly host?: string;
  /** Milliseconds before each answer. */
  readonly delayMs?: number;
}

/** A DNS server that answers from a zone literal, over UDP and TCP. */
export interface DnsServer {
  /** `ip:port`, in the form of `DNS_SERVERS`. */
  readonly address: string;
  readonly port: number;
  /** Every question that arrived, in order, including those that get no answer. */
  readonly queries: readonly { readonly name: string; readonly type: string }[];
  setZone(zone: Zone): void;
  /**
   * Sets a fault; `null` removes it. `*` means every name, and `*.a.example` every name under `a.example`.
   */
  setFault(name: string, fault: DnsFault | null): void;
  setDelay(milliseconds: number): void;
  stop(): Promise<void>;
}

/** Number of ports tried until one is free for both UDP and TCP. */
const PORT_TRIES = 20;

/**
 * Serves a zone for the demo and the tests, so that they need no internet. "No such name", "no such record",
 * "server failed" and "no answer" remain distinct, as they are on the wire.
 */
export async function startDnsServer(options: DnsServerOptions): Promise<DnsServer> {
  const { host = '127.0.0.1' } = options;
  let { zone, delayMs = 0 } = options;
  const faults = new Map<string, DnsFault>();
  const queries: { name: string; type: string }[] = [];
  const timers = new Set<NodeJS.Timeout>();

  const answer = ({ name, type, edns }: Query): ZoneAnswer => {
    queries.push({ name, type });
    const labels = name.split('.');
    const above = labels.map((_, from) => faults.get(`*.${labels.slice(from + 1).join('.')}`));
    const fault = faults.get(name) ?? above.find(Boolean) ?? faults.get('*');
    if (fault === 'FORMERR' && !edns) return answerFromZone(zone, name, type);
    return fault ? { rcode: fault } : answerFromZone(zone, name, type);
  };
  const later = (reply: () => void) => {
    if (delayMs === 0) return reply();
    const timer = setTimeout(() => {
      timers.delete(timer);
      reply();
    }, delayMs);
    timers.add(timer);
  };
  const handle = (message: Buffer, isTcp: boolean, reply: (message: Buffer) => void) => {
    const query = readQuery(message);
    if (!query) return;
    const response = answer(query);
    if (response.rcode === 'TIMEOUT') return;
    later(() => reply(writeAnswer(query, response, isTcp ? TCP_MAX_BYTES : query.maxBytes)));
  };

  const { udp, tcp, port } = await listen(host, options.port ?? 0);
  const sockets = new Set<Socket>();
  udp.on('message', (message, peer) =>
    handle(message, false, (reply) => {
      // The client may have gone, or we may be stopping.
      udp.send(reply, peer.port, peer.address, () => {});
    }),
  );
  tcp.on('connection', (socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
    readFrames(socket, (message) =>
      handle(message, true, (reply) => {
        const length = Buffer.from([reply.length >> 8, reply.length & 0xff]);
        if (socket.writable) socket.write(Buffer.concat([length, reply]));
      }),
    );
  });

  return {
    address: host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`,
    port,
    queries,
    setZone: (next) => {
      zone = next;
    },
    setFault: (name, fault) => {
      if (fault) faults.set(name, fault);
      else faults.delete(name);
    },
    setDelay: (milliseconds) => {
      delayMs = milliseconds;
    },
    stop: async () => {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
      const closed = Promise.all([once(udp, 'close'), once(tcp, 'close')]);
      udp.close();
      tcp.close();
      await closed;
    },
  };
}

/** Two octets with the length precede each message (RFC 1035 §4.2.2). */
function readFrames(socket: Socket, onMessage: (message: Buffer) => void): void {
  let pending = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
      const end = 2 + pending.readUInt16BE(0);
      onMessage(pending.subarray(2, end));
      pending = pending.subarray(end);
    }
  });
}

async function listen(host: string, port: number) {
  for (let attempt = 1; ; attempt += 1) {
    const udp: UdpSocket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    const tcp = createServer();
    try {
      udp.bind(port, host);
      await once(udp, 'listening');
      const bound = udp.address().port;
      tcp.listen(bound, host);
      await once(tcp, 'listening');
      udp.on('error', () => {});
      return { udp, tcp, port: bound };
    } catch (error) {
      udp.close();
      if (port !== 0 || attempt === PORT_TRIES) throw error;
    }
  }
}
