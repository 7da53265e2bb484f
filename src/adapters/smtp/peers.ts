import type { SMTPServer, SMTPServerSession } from 'smtp-server';
import { createClientCounts } from '../../domain/client-prefixes.ts';
import type { Reception } from '../../ports/mail.ts';

/** The recipient of a transaction was accepted: from here on the connection is busy. */
interface Transaction {
  /** The library replaces it at every reset: another one means that this transaction is over. */
  readonly envelope: SMTPServerSession['envelope'];
  readonly reception: Reception;
}

/** One connection beyond its greeting. All times are by `performance.now()`. */
export interface Peer {
  readonly session: SMTPServerSession;
  /** The client it is counted for, by address; null: a trusted relay that has not stated one. */
  client: string | null;
  tlsVersion: string | null;
  /** When it connected, or ended its last mail: nothing else is progress. */
  progressAt: number;
  /** When its recipient was accepted, or its data began. */
  begunAt: number;
  transaction: Transaction | null;
  /** Its data is read or analysed; ends with the reply. */
  receiving: boolean;
  /** Recipients that are no test's, and transactions that were given up. */
  wasted: number;
  /** Since it connected, or ended its last mail. */
  commands: number;
}

type Connections = SMTPServer['connections'];
type Connection = Connections extends Set<infer One> ? One : never;

/** The library's own set can only be walked through, which hundreds of connections feel. */
function indexById(connections: Connections): ReadonlyMap<string, Connection> {
  const byId = new Map<string, Connection>();
  const own = {
    add: connections.add.bind(connections),
    delete: connections.delete.bind(connections),
  };
  connections.add = (one) => {
    byId.set(one.id, one);
    return own.add(one);
  };
  connections.delete = (one) => {
    byId.delete(one.id);
    return own.delete(one);
  };
  return byId;
}

/** The connections that are past their greeting, and what each is doing. */
export function createPeers(connections: Connections, maxClientsPerIp: number) {
  const byId = indexById(connections);
  const peers = new Map<string, Peer>();
  const counts = createClientCounts(maxClientsPerIp);

  const connectionOf = (id: string) => byId.get(id);

  const isBusy = ({ transaction, receiving }: Peer) => receiving || transaction !== null;

  function abandon(peer: Peer) {
    peer.transaction?.reception.abandon();
    peer.transaction = null;
  }

  function remove({ id }: Pick<SMTPServerSession, 'id'>) {
    const peer = peers.get(id);
    if (!peer) return;
    abandon(peer);
    peers.delete(id);
    if (peer.client !== null) counts.remove(peer.client);
  }

  /** Counts the peer for a client; false: the client or its network holds too many. */
  function countFor(peer: Peer, client: string): boolean {
    if (peer.client === client) return true;
    if (counts.isFull(client)) return false;
    if (peer.client !== null) counts.remove(peer.client);
    counts.add(client);
    peer.client = client;
    return true;
  }

  return {
    isFull: counts.isFull,
    add(session: SMTPServerSession): Peer {
      const now = performance.now();
      const peer: Peer = {
        session,
        client: null,
        tlsVersion: null,
        progressAt: now,
        begunAt: now,
        transaction: null,
        receiving: false,
        wasted: 0,
        commands: 0,
      };
      peers.set(session.id, peer);
      return peer;
    },
    countFor,
    get: ({ id }: SMTPServerSession) => peers.get(id),
    remove,
    all: () => [...peers.values()],
    isBusy,

    /** Ends a transaction that the client gave up by RSET, EHLO or STARTTLS: no hook reports it. */
    settle(peer: Peer) {
      if (!peer.transaction || peer.transaction.envelope === peer.session.envelope) return;
      abandon(peer);
      peer.wasted += 1;
    },

    /** The connection without data whose last progress is the oldest. One that is being closed takes no place. */
    longestWithoutData: (): Peer | undefined =>
      [...peers.values()]
        .filter(({ receiving, session }) => !receiving && byId.has(session.id))
        .reduce<Peer | undefined>(
          (oldest, peer) => (!oldest || peer.progressAt < oldest.progressAt ? peer : oldest),
          undefined,
        ),

    /** Sends a last reply and closes; what the client still sends is not read. */
    dismiss({ session }: Peer, { code, text }: { readonly code: number; readonly text: string }) {
      connectionOf(session.id)?.send(code, text);
      // Its socket may linger for a while; it no longer counts.
      remove(session);
    },
    /** Cuts the connection at once. */
    cut: ({ id }: SMTPServerSession) => void connectionOf(id)?._socket.destroy(),
    connectionOf,
  };
}

export type Peers = ReturnType<typeof createPeers>;
