/** Limits the HTTP connections, so that email always finds free file descriptors. */

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
 * Time for a client to read that its connection gave way, in milliseconds. A client that reads nothing is
 * disconnected anyway.
 */
const FAREWELL_MS = 1000;

/**
 * Limits the connections, so that some file descriptors are left for email. When all are taken, a connection
 * from the network that has the most gives way. It does so while its response is waiting to be read, never
 * while the response is being made.
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
        const now = performance.now();
        sent.add(socket.bytesRead - read, now);
        read = socket.bytesRead;
        return sent.read(now);
      },
      giveWay() {
        onFull();
        const { response } = connection;
        // Nothing else can be said in the middle of a response.
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
