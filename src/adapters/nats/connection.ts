/** Connects to NATS, reconnects whenever the connection is lost, and notices servers that do not work. */

import {
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import {
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  type NatsConnection,
} from '@nats-io/transport-node';
import type { LogHealth } from '../../ports/log.ts';
import { codeOf, codes, reach, reachAtStart } from './outage.ts';
import { createPublish, type Publish, REQUEST_MS } from './publish.ts';

/**
 * Time limit for a server's greeting, in milliseconds. The client's own limit is 20 s, as long as an append
 * may take, so it would notice too late that a server died during the greeting.
 */
const GREETING_MS = 5000;

/** Pause between two attempts to reach the same server again, in milliseconds. */
const RECONNECT_MS = 250;

/**
 * If appends have been tried for this long, in milliseconds, and none got a response, the server cannot
 * store. A single append without a response, and with none after it, says nothing: as long as we report the
 * log as unavailable, nobody tries another.
 */
const STUCK_MS = 30_000;

/**
 * The longest time that an election can take, in milliseconds. A node that has stopped its copy of a stream
 * (`critical write error` in its log) keeps reporting that there is no leader, even when there is one.
 */
const LEADERLESS_MS = 10_000;

/** Longest time between two "no leader" responses that belong to the same outage, in milliseconds. */
const PAUSE_MS = 6000;

export interface NatsSettings {
  /** A server, or several separated by commas. The first may contain `token@` or `user:password@`. */
  readonly url: string;
  /** The name of the replica, as the server shows it. */
  readonly name: string;
  readonly user?: string | null;
  readonly password?: string | null;
  readonly token?: string | null;
  /** The text of a `.creds` file. */
  readonly credentials?: string | null;
  /** The certificate of the authority that issued the server's certificate, as PEM. */
  readonly tlsCa?: string | null;
  /** Number of copies of each stream. Several need nats-server 2.11. */
  readonly replicas?: number;
}

export interface LogConnection extends LogHealth {
  readonly nc: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  readonly publish: Publish;
  readonly replicas: number;
  /** Returns whether there is a connection. Without one, requests are lost and end at their time limits. */
  online(): boolean;
  /** Does the same as `reach` of `outage.ts`, at any node that can respond. */
  reach<T>(ask: () => Promise<T>, withinMs?: number): Promise<T>;
  /** Does the same as `reachAtStart` of `outage.ts`, at any node that can respond. */
  reachAtStart<T>(what: string, ask: () => Promise<T>): Promise<T>;
  /**
   * Notes an error that is not a response. If a node says for too long that a stream has no leader, the
   * connection moves to another node.
   */
  noteOutage(error: unknown): void;
  /**
   * Notes the outcome of an append. A server that no longer responds to any append counts as unavailable.
   */
  noteAppend(answered: boolean): void;
  close(): Promise<void>;
}

/**
 * Connects permanently: a lost connection is opened again, however long that takes.
 *
 * @throws if no server responds, the credentials are refused, JetStream is off, or the server is too old.
 * Older servers ignore options that they do not know, so that only the version reveals them.
 */
export async function connectNats(settings: NatsSettings): Promise<LogConnection> {
  const { replicas = 1 } = settings;
  const nc = await connect(toOptions(settings));
  try {
    requireVersion(nc, replicas > 1 ? [2, 11] : [2, 10]);
    const options = { timeout: REQUEST_MS };
    const asking = reachAtStart('JetStream', () => jetstreamManager(nc, options));
    const jsm = await asking.catch((cause: unknown) => {
      // In a cluster, a server without JetStream passes requests on to others.
      if (nc.info?.jetstream) throw cause;
      throw new Error(
        'JetStream is off; give it a `jetstream` block as in docs/operations.md, "Deploying"',
        { cause },
      );
    });
    return {
      nc,
      js: jetstream(nc, options),
      jsm,
      publish: createPublish(nc),
      replicas,
      ...watch(nc),
      close: () => nc.close(),
    };
  } catch (error) {
    await nc.close();
    throw error;
  }
}

function toOptions(settings: NatsSettings): ConnectionOptions {
  const { name, credentials, tlsCa } = settings;
  const urls = settings.url.split(',').map((one) => new URL(withScheme(one.trim())));
  const { user, password, token } = { ...fromUrl(urls[0]), ...withoutNull(settings) };
  return {
    // The client accepts credentials only as options.
    servers: urls.map(({ protocol, host }) => `${protocol}//${host}`),
    name,
    // A user may have permission to receive only the responses to its own requests.
    ...(user && { inboxPrefix: `_INBOX.${user}` }),
    timeout: GREETING_MS,
    maxReconnectAttempts: -1,
    ...reconnecting(),
    // Otherwise, the client creates two errors for each request in case it fails, which takes a quarter of
    // the request's processor time.
    noAsyncTraces: true,
    // A server whose connection is cut without notice is detected after twice this time.
    pingInterval: 5000,
    ...(token && { token }),
    ...(user && { user, pass: password ?? '' }),
    ...(credentials && {
      authenticator: credsAuthenticator(new TextEncoder().encode(credentials)),
    }),
    // Without this option, the client also talks to a server that has no TLS.
    ...((tlsCa || urls.some(({ protocol }) => protocol === 'tls:')) && {
      tls: { ...(tlsCa && { ca: tlsCa }) },
    }),
  };
}

/**
 * The client measures its own pause by the wall clock, so a clock that is set back by an hour would make the
 * pause an hour longer. It therefore gets no pause, and ours is measured by a monotonic clock.
 */
function reconnecting(): Pick<ConnectionOptions, 'reconnectDelayHandler' | 'reconnectToServer'> {
  let next = 0;
  return {
    reconnectDelayHandler: () => Number.NEGATIVE_INFINITY,
    reconnectToServer(servers) {
      const [server] = servers;
      if (!server) return null;
      const now = performance.now();
      const delay = Math.max(0, next - now);
      next = now + delay + RECONNECT_MS / servers.length;
      return { server, delay };
    },
  };
}

const withScheme = (url: string) => (url.includes('://') ? url : `nats://${url}`);

/** Reads `nats://token@host` or `nats://user:password@host`, as nats-server and its tools write it. */
function fromUrl(url: URL | undefined) {
  if (!url?.username) return {};
  const first = decodeURIComponent(url.username);
  return url.password
    ? { user: first, password: decodeURIComponent(url.password) }
    : { token: first };
}

const withoutNull = ({ user, password, token }: NatsSettings) => ({
  ...(user && { user }),
  ...(password && { password }),
  ...(token && { token }),
});

function requireVersion(nc: NatsConnection, [major, minor]: readonly [number, number]): void {
  const version = nc.info?.version ?? 'unknown';
  const [itsMajor = 0, itsMinor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  if (itsMajor > major || (itsMajor === major && itsMinor >= minor)) return;
  throw new Error(
    `nats-server ${version} is too old: ${major}.${minor} or later is needed. ` +
      'Upgrade it, or unset NATS_URL so that the service runs its own.',
  );
}

/** A period by the monotonic clock, in milliseconds. */
interface Span {
  readonly first: number;
  readonly last: number;
}

function watch(nc: NatsConnection) {
  let open = true;
  let unanswered: Span | undefined;
  let leaderless: Span | undefined;
  const noteOutage = (error: unknown) => {
    if (codeOf(error) !== codes.noLeader) return;
    const last = performance.now();
    const first = leaderless && last - leaderless.last < PAUSE_MS ? leaderless.first : last;
    leaderless = { first, last };
    if (last - first < LEADERLESS_MS) return;
    leaderless = undefined;
    nc.reconnect().catch(() => {});
  };
  const follow = async () => {
    for await (const { type } of nc.status()) {
      if (type === 'disconnect') open = false;
      if (type !== 'reconnect') continue;
      open = true;
      // This is another server, or the same server after a restart, so nothing is known about it.
      unanswered = undefined;
    }
    open = false;
  };
  follow().catch(() => {
    open = false;
  });
  return {
    online: () => open,
    connected: () =>
      open && (unanswered === undefined || unanswered.last - unanswered.first < STUCK_MS),
    reach: <T>(ask: () => Promise<T>, withinMs?: number) => reach(ask, withinMs, noteOutage),
    reachAtStart: <T>(what: string, ask: () => Promise<T>) => reachAtStart(what, ask, noteOutage),
    noteOutage,
    noteAppend(answered: boolean) {
      const now = performance.now();
      unanswered = answered ? undefined : { first: unanswered?.first ?? now, last: now };
    },
  };
}
