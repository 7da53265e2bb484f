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

/** Queries that are sent from one port; opening a socket costs more than a query. */
const MAX_QUERIES = 32;

interface Waiting {
  readonly query: Buffer;
  readonly type: RecordType;
  readonly end: (reply: Reply) => void;
}

interface Port {
  /** Sends it under an id of its own, by which its answer is known. */
  send(waiting: Waiting): void;
  /** Gives a query up. */
  drop(waiting: Waiting): void;
  isFull(): boolean;
}

const failure = (error: string): Reply => ({ status: 'failed', error });

/** Sends one query and resolves to its answer; never rejects. The id is written into the query. */
export type QueryByUdp = (query: Buffer, type: RecordType, timeoutMs: number) => Promise<Reply>;

/**
 * Queries one server over UDP. Those that are under way together go through one socket, a few dozen
 * at most: the next has a new port. What was not answered is asked again from another (RFC 5452 §9).
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
      // An answer that came while this thread was busy is read first.
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
  /** Until it is connected; then `undefined`. */
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
      // What an answer leads to is asked at once, from the same port.
      if (byId.delete(query.readUInt16BE(0)) && byId.size === 0) setImmediate(closeIdle);
    },
  };

  /** That a port is closed is told to the next that is sent or received, whichever comes first. */
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
    // A message that is no answer may be a forger's: the true one can still come.
    const reply = waiting && decodeReply(waiting.query, message, waiting.type);
    if (reply) waiting.end(reply);
  });
  socket.on('connect', () => {
    for (const query of early ?? []) transmit(query);
    early = undefined;
  });
  // Connected: only this server's messages come in, and a closed port is an error at once.
  // Without a callback, which would swallow the error of a network that is not there.
  socket.connect(port, host);
  return self;
}
