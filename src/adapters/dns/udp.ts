/**
 * Sends DNS queries to one server over UDP, several from one socket, and repeats those that are not answered.
 */

import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { RecordType } from '../../ports/dns.ts';
import { decodeReply, type Reply } from './message.ts';

/** A DNS server. */
export interface Server {
  readonly host: string;
  readonly port: number;
}

/** Number of queries that are sent from one port. Opening a socket costs more than a query. */
const MAX_QUERIES = 32;

interface Waiting {
  readonly query: Buffer;
  readonly type: RecordType;
  readonly end: (reply: Reply) => void;
}

interface Port {
  /** Sends the query with an id that no other query has, by which its answer is recognized. */
  send(waiting: Waiting): void;
  /** Stops waiting for the answer to a query. */
  drop(waiting: Waiting): void;
  isFull(): boolean;
}

const failure = (error: string): Reply => ({ status: 'failed', error });

/** Sends one query and resolves to its answer. Never rejects. The id is written into the query. */
export type QueryByUdp = (query: Buffer, type: RecordType, timeoutMs: number) => Promise<Reply>;

/**
 * Queries one server over UDP. Concurrent queries share a socket, a few dozen at most; the next query gets a
 * new port. An unanswered query is sent again from another port (RFC 5452 §9).
 */
export function createUdp(server: Server): QueryByUdp {
  let current: Port | undefined;

  return (query, type, timeoutMs) =>
    new Promise<Reply>((resolve) => {
      let isOver = false;
      const end = (reply: Reply) => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        resolve(reply);
        port.drop(waiting);
      };
      const expire = () => {
        if (current === port) current = undefined;
        end(failure('TIMEOUT'));
      };
      // An answer that arrived while this thread was busy is read before the query times out.
      const timer = setTimeout(() => setImmediate(expire), timeoutMs);
      const waiting: Waiting = { query, type, end };
      const port = !current || current.isFull() ? openPort(server, onClose) : current;
      current = port;
      port.send(waiting);
    });

  function onClose(port: Port) {
    if (current === port) current = undefined;
  }
}

function openPort({ host, port }: Server, onClose: (port: Port) => void): Port {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  const byId = new Map<number, Waiting>();
  /** Collects messages until the socket is connected, then becomes `undefined`. */
  let early: Buffer[] | undefined = [];
  let sent = 0;
  let isClosed = false;

  function closeIdle() {
    if (byId.size > 0 || isClosed) return;
    isClosed = true;
    onClose(self);
    socket.removeAllListeners().on('error', () => {});
    socket.close();
  }

  function newId(): number {
    for (;;) {
      const id = randomInt(0x10000);
      if (!byId.has(id)) return id;
    }
  }

  const self: Port = {
    isFull: () => sent >= MAX_QUERIES,
    send(waiting) {
      sent += 1;
      const id = newId();
      waiting.query.writeUInt16BE(id, 0);
      byId.set(id, waiting);
      if (early) early.push(waiting.query);
      else transmit(waiting.query);
    },
    drop({ query }) {
      // Queries that follow from an answer are sent immediately, from the same port.
      if (byId.delete(query.readUInt16BE(0)) && byId.size === 0) setImmediate(closeIdle);
    },
  };

  /** A closed port is reported to whichever send or receive comes first. */
  function transmit(query: Buffer) {
    socket.send(query, (error) => error && fail());
  }

  function fail() {
    onClose(self);
    for (const { end } of [...byId.values()]) end(failure('UNREACHABLE'));
  }

  socket.on('error', fail);
  socket.on('message', (message) => {
    const waiting = message.length < 2 ? undefined : byId.get(message.readUInt16BE(0));
    // A message that is not a valid answer may be a forgery, so the real answer can still come.
    const reply = waiting && decodeReply(waiting.query, message, waiting.type);
    if (reply) waiting.end(reply);
  });
  socket.on('connect', () => {
    for (const query of early ?? []) transmit(query);
    early = undefined;
  });
  // A connected socket receives messages only from this server, and reports a closed port immediately as an
  // error. There is no callback, because it would swallow the error of a missing network.
  socket.connect(port, host);
  return self;
}
