/**
 * Runs the SMTP server (RFC 5321) until it is stopped, with its TLS certificate, trusted relays, time limits
 * and metrics.
 */

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { RelayProtocol } from '../../domain/relays.ts';
import { toReply, verdict } from '../../domain/replies.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { Receiver } from '../../ports/mail.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { classOf, type Metrics, type SmtpCommand } from '../../telemetry/metrics.ts';
import { seldom } from '../../telemetry/seldom.ts';
import { type KeyPair, selfSigned } from './certificate.ts';
import { createHandlers } from './handlers.ts';
import { createPeers, type Peers } from './peers.ts';
import { createPreparation } from './prepare-connection.ts';
import type { ProxyFault } from './proxy-header.ts';
import { createRelays, type RelayRanges } from './relays.ts';

export interface SmtpPorts {
  readonly receiver: Receiver;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: SmtpMetrics;
}

/** Time limits for clients, and the minimum speed of their transfers. */
export interface SmtpLimits {
  /** Longest silence while the client should send something, in milliseconds. */
  readonly idleMs: number;
  /** Longest time from an accepted recipient to DATA, and then for all of the data, in milliseconds. */
  readonly transactionMs: number;
  /** How much each unknown recipient adds to the wait for the reply, in milliseconds. */
  readonly unknownDelayMs: number;
  /** Time that transactions past RCPT get to finish when the server stops, in milliseconds. */
  readonly drainMs: number;
  /** Minimum speed of a transfer, in bytes per second over one window. */
  readonly minBytesPerSecond: number;
  readonly windowMs: number;
  /** Longest time from a proxy's connection to the end of its header, in milliseconds. */
  readonly proxyHeaderMs: number;
  /** How often transactions are checked for their age, in milliseconds. */
  readonly sweepMs: number;
}

export interface SmtpSettings {
  readonly host: string;
  /** The port to listen on; 0 means any free port. */
  readonly port: number;
  readonly hostname: string;
  /** The certificate as PEM. Null if a self-signed one is made. */
  readonly certificate: string | null;
  readonly privateKey: string | null;
  readonly maxMessageBytes: number;
  readonly maxClients: number;
  /** Address ranges of the peers that may name another client. */
  readonly relays?: RelayRanges;
  readonly limits?: Partial<SmtpLimits>;
}

const LIMITS: SmtpLimits = {
  idleMs: 120_000,
  transactionMs: 600_000,
  unknownDelayMs: 250,
  drainMs: 30_000,
  minBytesPerSecond: 1024,
  windowMs: 60_000,
  proxyHeaderMs: 5000,
  sweepMs: 1000,
};

/** Maximum length of a command, in bytes. RFC 5321 §4.5.3.1.4 requires 512, and extensions require more. */
const MAX_COMMAND_LENGTH = 4096;

export interface SmtpListener {
  readonly port: number;
  /** Uses a certificate for the connections that are opened from now on. */
  useCertificate(pair: KeyPair): void;
  stop(): Promise<void>;
}

/** Receives email by SMTP (RFC 5321) until it is stopped. */
export async function startSmtp(
  { receiver, clock, logger, metrics }: SmtpPorts,
  settings: SmtpSettings,
): Promise<SmtpListener> {
  const limits = { ...LIMITS, ...settings.limits };
  const { certificate, privateKey, hostname, maxClients, maxMessageBytes } = settings;
  const relays = createRelays(settings.relays ?? {});
  const hasRelays = (protocol: RelayProtocol) => (settings.relays?.[protocol] ?? []).length > 0;
  const tls =
    certificate !== null && privateKey !== null
      ? { key: privateKey, cert: certificate }
      : await selfSigned(hostname, clock());
  let stopping = false;
  let peers: Peers;

  const handlers = createHandlers(
    { receiver, peers: () => peers, isStopping: () => stopping },
    { minimumRate: limits, unknownDelayMs: limits.unknownDelayMs },
  );
  const server: SMTPServer = new SMTPServer({
    name: hostname,
    size: maxMessageBytes,
    rejectOversized: false,
    ...tls,
    // Even the oldest TLS versions are accepted, so that the report can show them.
    minVersion: 'TLSv1',
    ciphers: 'DEFAULT:@SECLEVEL=0',
    hideENHANCEDSTATUSCODES: false,
    hidePIPELINING: false,
    hide8BITMIME: false,
    hideSMTPUTF8: false,
    hideDSN: true,
    hideREQUIRETLS: true,
    disableReverseLookup: true,
    socketTimeout: limits.idleMs,
    closeTimeout: limits.drainMs,
    maxCommandLength: MAX_COMMAND_LENGTH,
    heloResponse: '%s greets %s',
    // Otherwise the library refuses domains with an underscore, which other mail servers accept.
    lenientAddressParsing: true,
    logger: false,
    // Which peer may use which command is decided for each connection.
    useXClient: hasRelays('xclient'),
    useXForward: hasRelays('xforward'),
    ...countReplies(handlers, metrics),
  });
  const onFull = seldom(() =>
    logger.warn(
      { smtp_connections: maxClients },
      'all SMTP connections are in use; some are closed to make room',
    ),
  );
  peers = createPeers(server.connections, maxClients, {
    relays,
    onConnection: createPreparation({ maxMessageBytes, maxCommandLength: MAX_COMMAND_LENGTH }),
    onFull() {
      metrics.smtpReplies.inc({ command: 'connect', class: '4xx' });
      onFull();
    },
  });
  // Anyone can cause these errors as often as they like, and each failed handshake causes two.
  const onError = seldom((error: Error) => logger.info({ err: error }, 'smtp connection failed'));
  server.on('error', onError);
  if (hasRelays('proxy')) {
    const { readProxyHeaders } = await import('./proxy-header.ts');
    const onFault = seldom((fault: ProxyFault, proxy: string) =>
      logger.warn({ fault, proxy }, 'a proxy of SMTP_PROXY_FROM sent no usable PROXY header'),
    );
    readProxyHeaders(server, {
      isProxy: relays.isProxy,
      headerMs: limits.proxyHeaderMs,
      maxWaiting: maxClients,
      onFault,
    });
  }

  server.listen(settings.port, settings.host);
  await once(server.server, 'listening');

  const sweep = setInterval(() => {
    const now = performance.now();
    metrics.smtpConnections.set(server.connections.size);
    for (const peer of peers.all()) {
      peers.endGivenUp(peer);
      if (stopping && !peers.isBusy(peer)) peers.dismiss(peer, toReply(verdict('stopping')));
      else if (!peer.receiving && now - peer.since > limits.transactionMs)
        peers.dismiss(peer, toReply(verdict('timed_out')));
    }
  }, limits.sweepMs);

  return {
    port: (server.server.address() as AddressInfo).port,
    useCertificate: (pair) => server.updateSecureContext({ ...pair }),
    async stop() {
      stopping = true;
      const { promise: closed, resolve } = Promise.withResolvers<void>();
      // The library's own `close` would reply 421 to the next command of every transaction.
      server.server.close(() => resolve());
      const goodbye = toReply(verdict('stopping'));
      for (const socket of server._pendingSockets.keys()) socket.destroy();
      for (const peer of peers.all()) if (!peers.isBusy(peer)) peers.dismiss(peer, goodbye);

      const drained = setTimeout(() => {
        for (const connection of [...server.connections]) {
          connection.send(goodbye.code, goodbye.text);
          connection._socket.destroySoon();
        }
      }, limits.drainMs);
      await closed;
      clearTimeout(drained);
      clearInterval(sweep);
    },
  };
}

type SmtpMetrics = Pick<Metrics, 'smtpReplies' | 'smtpConnections' | 'mailSeconds'>;

type Handlers = ReturnType<typeof createHandlers>;

type Done = NonNullable<Parameters<NonNullable<SMTPServerOptions['onData']>>[2]>;

/** Returns the reply code of an error, as the library determines it. */
const codeOf = (error: Error & { readonly responseCode?: number }) => error.responseCode ?? 550;

/**
 * Returns the same handlers, but counts each reply by its command, and measures the time of an email's reply
 * from DATA on.
 */
function countReplies(handlers: Handlers, metrics: SmtpMetrics): Handlers {
  const counted =
    (command: SmtpCommand, done: Done, observe?: (code: string) => void): Done =>
    (error, text) => {
      const code = classOf(error ? codeOf(error) : 250);
      metrics.smtpReplies.inc({ command, class: code });
      observe?.(code);
      done(error, text);
    };
  return {
    ...handlers,
    onConnect: (session, done) => handlers.onConnect(session, counted('connect', done)),
    onMailFrom: (address, session, done) =>
      handlers.onMailFrom(address, session, counted('mail', done)),
    onRcptTo: (address, session, done) =>
      handlers.onRcptTo(address, session, counted('rcpt', done)),
    onData(content, session, done) {
      const end = metrics.mailSeconds.startTimer();
      handlers.onData(
        content,
        session,
        counted('data', done, (code) => end({ class: code })),
      );
    },
  };
}
