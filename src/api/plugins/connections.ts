/**
 * Limits the number of open HTTP connections, so that incoming email always finds free file descriptors, and
 * decides which is closed when all are in use.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { networksOf } from '../../domain/fairness/networks.ts';
import { countRecentBytes, createShares, type Holder } from '../../domain/fairness/shares.ts';
import { seldom } from '../../telemetry/seldom.ts';
import type { Refuse } from './http-rules.ts';

interface Connection extends Holder {
  request?: IncomingMessage;
  response?: ServerResponse;
}

/**
 * Time in milliseconds that a client has to read why its connection is being closed. A client that reads
 * nothing is disconnected anyway.
 */
const FAREWELL_MS = 1000;

/**
 * Limits the number of HTTP connections, so that some file descriptors are left for email. When all are in
 * use, the network with the most connections has to give one up. A connection may be closed while its
 * response is waiting to be read, but never while the response is being made.
 */
export function limitConnections(
  app: FastifyInstance,
  maxConnections: number,
  refuse: Refuse,
): void {
  const shares = createShares(maxConnections);
  const connections = new WeakMap<Socket, Connection>();
  const onFull = seldom(() =>
    app.log.warn(
      { http_connections: maxConnections },
      'all HTTP connections are in use; some are closed to make room',
    ),
  );

  function toConnection(socket: Socket): Connection {
    const sent = countRecentBytes(performance.now());
    let read = 0;
    const connection: Connection = {
      path: networksOf(socket.remoteAddress ?? null),
      progress() {
        const { request, response } = connection;
        if (request?.complete && response?.headersSent === false) return null;
        sent.add(socket.bytesRead - read, performance.now());
        read = socket.bytesRead;
        return sent.rank();
      },
      giveWay() {
        onFull();
        const { response } = connection;
        // In the middle of a response, the only way to tell the client is to close the connection.
        if (response?.headersSent && !response.writableFinished) return void socket.destroy();
        refuse.call(app, Object.assign(new Error('full'), { code: 'GAVE_WAY' }), socket);
        socket.destroySoon();
        setTimeout(() => socket.destroy(), FAREWELL_MS).unref();
      },
    };
    return connection;
  }

  app.server.on('connection', (socket: Socket) => {
    const connection = toConnection(socket);
    connections.set(socket, connection);
    socket.once('close', () => shares.release(connection));
    if (!shares.claim(connection)) connection.giveWay();
  });
  app.server.on('request', (request, response) => {
    const connection = connections.get(request.socket);
    if (connection) Object.assign(connection, { request, response });
  });
}
