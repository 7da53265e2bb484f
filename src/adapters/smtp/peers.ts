import type { SMTPServer, SMTPServerSession } from 'smtp-server';
import type { Reception } from '../../ports/mail.ts';

/** The recipient of a transaction was accepted: from here on the connection is busy. */
interface Transaction {
  /** The library replaces it at every reset: another one means that this transaction is over. */
  readonly envelope: SMTPServerSession['envelope'];
  readonly reception: Reception;
  /** By `performance.now()`. */
  readonly begunAt: number;
}

/** One connection beyond its greeting. */
export interface Peer {
  readonly session: SMTPServerSession;
  /** Who connected, whatever XCLIENT says later. */
  readonly ip: string;
  tlsVersion: string | null;
  /** Last sign of life between transactions, by `performance.now()`. */
  activeAt: number;
  transaction: Transaction | null;
  /** Its data is read or analysed; ends with the reply. */
  receiving: boolean;
}

/** The connections that are past their greeting, and what each is doing. */
export function createPeers(connections: SMTPServer['connections']) {
  const peers = new Map<string, Peer>();

  const connectionOf = (id: string) => [...connections].find((one) => one.id === id);

  const isBusy = ({ transaction, receiving }: Peer) => receiving || transaction !== null;

  function abandon(peer: Peer) {
    peer.transaction?.reception.abandon();
    peer.transaction = null;
  }

  function remove({ id }: Pick<SMTPServerSession, 'id'>) {
    const peer = peers.get(id);
    if (peer) abandon(peer);
    peers.delete(id);
  }

  return {
    add(session: SMTPServerSession): Peer {
      const { id, remoteAddress: ip } = session;
      const peer = {
        session,
        ip,
        tlsVersion: null,
        activeAt: performance.now(),
        transaction: null,
        receiving: false,
      };
      peers.set(id, peer);
      return peer;
    },
    get: ({ id }: SMTPServerSession) => peers.get(id),
    remove,
    all: () => [...peers.values()],
    countFrom: (address: string) => [...peers.values()].filter(({ ip }) => ip === address).length,
    isBusy,

    /** Ends a transaction that the client gave up by RSET, EHLO or STARTTLS: no hook reports it. */
    settle(peer: Peer) {
      if (peer.transaction && peer.transaction.envelope !== peer.session.envelope) abandon(peer);
    },

    longestIdle: (): Peer | undefined =>
      [...peers.values()]
        .filter((peer) => !isBusy(peer))
        .reduce<Peer | undefined>(
          (oldest, peer) => (!oldest || peer.activeAt < oldest.activeAt ? peer : oldest),
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
  };
}

export type Peers = ReturnType<typeof createPeers>;
