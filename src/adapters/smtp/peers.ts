/**
 * Tracks the open SMTP connections and what each is doing, counts each for its client's network, and decides
 * which gives way when there are too many.
 */

import type { SMTPServerSession } from 'smtp-server';
import { networksOf } from '../../domain/fairness/networks.ts';
import {
  countRecentBytes,
  createShares,
  type Holder,
  type RecentBytes,
} from '../../domain/fairness/shares.ts';
import { type SmtpReply, toReply, verdict } from '../../domain/replies.ts';
import type { Reception } from '../../ports/mail.ts';
import { accountableAddress, type ClientNaming, clientAddress, namedClient } from './addresses.ts';
import type { Relays } from './relays.ts';
import type { SmtpConnection } from './smtp-connection.ts';

/** A transaction whose recipient was accepted. From then on, the connection is busy. */
interface Transaction {
  /** The library replaces the envelope at every reset. If it differs, this transaction is over. */
  readonly envelope: SMTPServerSession['envelope'];
  readonly reception: Reception;
}

/** An SMTP connection that is not being closed. All times are in `performance.now()` time. */
export interface Peer extends Holder, ClientNaming {
  readonly session: SMTPServerSession;
  readonly connection: SmtpConnection;
  /**
   * The client's networks. On a relay's connection, they are the networks of the client that the relay named.
   */
  path: readonly string[];
  tlsVersion: string | null;
  /** How many bytes of email the client has sent recently. Nothing else counts as progress. */
  sent: RecentBytes;
  /** When the client last connected, ended an email, or had its recipient accepted. */
  since: number;
  transaction: Transaction | null;
  /** True while the data of an email is being read or analysed, until the reply. */
  receiving: boolean;
  /** Number of recipients that belong to no test, and of transactions that were given up. */
  wasted: number;
  /** Number of commands since the client connected or ended its last email. */
  commands: number;
}

interface Options {
  readonly relays: Pick<Relays, 'of'>;
  readonly onConnection: (connection: SmtpConnection) => void;
  readonly onFull: () => void;
}

/**
 * Tracks the open connections and what each is doing. When the maximum is reached, a connection from the
 * network that has the most connections gives way to a newcomer. After the final dot of its email, a
 * connection no longer counts: it cannot give way, and is waiting for us. A relay's connection counts as soon
 * as it names a client or begins an email: before that, one relay would be the largest network of all.
 */
export function createPeers(
  connections: Set<SmtpConnection>,
  maxClients: number,
  { relays, onConnection, onFull }: Options,
) {
  const peers = new Map<string, Peer>();
  const shares = createShares(maxClients);

  function abandon(peer: Peer) {
    peer.transaction?.reception.abandon();
    peer.transaction = null;
  }

  function remove({ id }: Pick<SMTPServerSession, 'id'>) {
    const peer = peers.get(id);
    if (!peer) return;
    peers.delete(id);
    shares.release(peer);
    abandon(peer);
  }

  /** Sends a last reply and closes the connection. Anything that the client still sends is not read. */
  function dismiss({ session, connection }: Peer, { code, text }: SmtpReply) {
    remove(session);
    connection.send(code, text);
    // The reader stops now instead of when the socket has closed.
    if (connection._dataStream) connection._dataStream.destroy();
  }

  function toPeer(connection: SmtpConnection): Peer {
    const { session, remoteAddress } = connection;
    const now = performance.now();
    const peer: Peer = {
      session,
      connection,
      path: networksOf(clientAddress(remoteAddress)),
      ...relays.of(connection),
      tlsVersion: null,
      sent: countRecentBytes(now),
      since: now,
      transaction: null,
      receiving: false,
      wasted: 0,
      commands: 0,
      progress: () => peer.sent.rank(),
      giveWay() {
        onFull();
        dismiss(peer, toReply(verdict('gave_way')));
      },
    };
    return peer;
  }

  /** Counts the connection for its client. That very connection may have to give way. */
  function claim(peer: Peer) {
    if (peers.has(peer.session.id) && !shares.claim(peer)) peer.giveWay();
  }

  const own = {
    add: connections.add.bind(connections),
    delete: connections.delete.bind(connections),
  };
  connections.add = (connection) => {
    own.add(connection);
    onConnection(connection);
    const peer = toPeer(connection);
    peers.set(connection.id, peer);
    // The connection gives way only after the library has started to listen to it.
    if (peer.command === null && !shares.claim(peer)) queueMicrotask(peer.giveWay);
    return connections;
  };
  connections.delete = (connection) => {
    remove(connection);
    return own.delete(connection);
  };

  return {
    get: ({ id }: SMTPServerSession) => peers.get(id),
    all: () => [...peers.values()],
    isBusy: ({ transaction, receiving }: Peer) => receiving || transaction !== null,
    dismiss,

    /**
     * Counts a relay's connection for the client that it named, which starts with a clean slate, or for the
     * relay if it named none.
     */
    follow(peer: Peer) {
      const path = networksOf(accountableAddress(peer.session));
      shares.release(peer);
      if (path.at(-1) !== peer.path.at(-1)) peer.wasted = 0;
      peer.path = path;
      claim(peer);
    },

    /** Ends a transaction that the client gave up with RSET, EHLO or STARTTLS. No hook reports these. */
    endGivenUp(peer: Peer) {
      if (!peer.transaction || peer.transaction.envelope === peer.session.envelope) return;
      abandon(peer);
      peer.wasted += 1;
    },

    /** Called when the final dot of a connection's email has been read. */
    onWhole: shares.release,

    /** Called when a connection's email has received its reply, so that the connection starts afresh. */
    begin(peer: Peer) {
      const now = performance.now();
      Object.assign(peer, {
        receiving: false,
        path: networksOf(accountableAddress(peer.session)),
        commands: 0,
        since: now,
        sent: countRecentBytes(now),
      });
      if (peer.command === null || namedClient(peer.session)) claim(peer);
    },

    /** Cuts the connection immediately, unless it was already dismissed. */
    cut: ({ session, connection }: Peer) =>
      void (peers.has(session.id) && connection._socket.destroy()),
  };
}

export type Peers = ReturnType<typeof createPeers>;
