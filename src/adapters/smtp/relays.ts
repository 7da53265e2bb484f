/**
 * Decides which peers may name another client, and how (XCLIENT, XFORWARD or PROXY), and follows the clients
 * that trusted relays name by command.
 */

import type { NamingCommand, RelayProtocol } from '../../domain/relays.ts';
import { inRanges } from './addresses.ts';
import type { SmtpConnection } from './smtp-connection.ts';

/**
 * Address ranges (CIDR) of the relays in front of this service, by the one protocol that each is trusted for.
 */
export type RelayRanges = Readonly<Partial<Record<RelayProtocol, readonly string[]>>>;

/** The commands with which a relay names the client that it received an email from. */
const COMMANDS: readonly NamingCommand[] = ['xclient', 'xforward'];

/** Determines which peers may name another client, and how. */
export function createRelays(ranges: RelayRanges) {
  const isIn = {
    xclient: inRanges(ranges.xclient ?? []),
    xforward: inRanges(ranges.xforward ?? []),
    proxy: inRanges(ranges.proxy ?? []),
  };
  /** @param ip address of the peer, or of the client that its proxy names */
  const commandOf = (ip: string): NamingCommand | null =>
    COMMANDS.find((command) => isIn[command](ip)) ?? null;

  return {
    isProxy: isIn.proxy,
    /** Returns whether the peer of a connection may name the client, and how. */
    of: ({ _socket, _originalRemoteAddress }: SmtpConnection) => ({
      command: commandOf(_originalRemoteAddress),
      isProxied: isIn.proxy(_socket.remoteAddress ?? ''),
    }),
  };
}

export type Relays = ReturnType<typeof createRelays>;

/** Returns every naming command that a peer may not use. To that peer, they are unknown commands. */
export const forbiddenCommands = (allowed: NamingCommand | null): string[] =>
  COMMANDS.filter((command) => command !== allowed).map((command) => command.toUpperCase());

/**
 * Follows the clients that a relay names on a connection. XCLIENT names one client for the whole connection.
 * XFORWARD names one for the next email, which is how Postfix uses it: Postfix keeps connections open and
 * names each client anew. The library would treat the last client that was named as the client of every later
 * email, and an unknown HELO as a missing one.
 *
 * @param onNamed called after each command that names a client
 */
export function followNamedClients(connection: SmtpConnection, onNamed: () => void): void {
  const reset = connection._resetSession.bind(connection);
  const xclient = connection.handler_XCLIENT.bind(connection);
  const xforward = connection.handler_XFORWARD.bind(connection);
  let isNaming = false;

  connection._resetSession = () => {
    if (!isNaming) connection._xForward.clear();
    reset();
  };
  connection.handler_XCLIENT = (command, callback) =>
    xclient(command, () => {
      onNamed();
      callback();
    });
  connection.handler_XFORWARD = (command, callback) => {
    const { remoteAddress, remotePort, hostNameAppearsAs, clientHostname } = connection;
    isNaming = true;
    xforward(command, () => {
      // The session remains the relay's. Only `xForward` is about the client.
      Object.assign(connection, { remoteAddress, remotePort, hostNameAppearsAs, clientHostname });
      if (!connection.session.envelope.mailFrom) reset();
      isNaming = false;
      onNamed();
      callback();
    });
  };
}
