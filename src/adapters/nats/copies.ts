import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamInfo } from '@nats-io/jetstream';
import type { LogConnection } from './connection.ts';
import { currentCopies, findNodeLosses } from './nodes.ts';
import { isOutage } from './outage.ts';
import { infoOf } from './read.ts';

/** For nodes that copy a bucket, in milliseconds. */
const PATIENCE_MS = 60_000;

/** For a node to be elected, in milliseconds: one that lacks what others have never is. */
const ELECTION_MS = 20_000;

/** Between two looks at a stream, in milliseconds. */
const LOOK_MS = 100;

type Is = (info: StreamInfo) => boolean | Promise<boolean>;

/** Looks at a stream until it is so; `false`: not in time. */
async function until(
  connection: LogConnection,
  stream: string,
  is: Is,
  withinMs = PATIENCE_MS,
): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      if (await is(await infoOf(connection.jsm, stream))) return true;
    } catch (error) {
      if (!isOutage(error)) throw error;
      connection.noteOutage(error);
    }
    if (performance.now() > deadline) return false;
    await sleep(LOOK_MS);
  }
}

function isCurrent({ config, cluster }: StreamInfo): boolean {
  // A server by itself.
  if (!cluster) return true;
  const followers = cluster.replicas ?? [];
  return (
    cluster.leader !== undefined &&
    followers.length === config.num_replicas - 1 &&
    followers.every(({ current, offline, lag = 0 }) => current && !offline && lag === 0)
  );
}

/** Makes a node that has a copy of a stream its leader; `false`: not in time. */
export const lead = (connection: LogConnection, stream: string, node: string): Promise<boolean> =>
  until(
    connection,
    stream,
    async ({ cluster }) => {
      if (cluster?.leader === node) return true;
      const order = JSON.stringify({ placement: { preferred: node } });
      await connection.nc.request(`$JS.API.STREAM.LEADER.STEPDOWN.${stream}`, order);
      return false;
    },
    ELECTION_MS,
  );

/** Drops every copy of a bucket but its leader's, which the other nodes then copy; `false`: not in time. */
async function copyFromLeader(connection: LogConnection, stream: string): Promise<boolean> {
  const { streams } = connection.jsm;
  const { num_replicas: wanted } = (await connection.reach(() => streams.info(stream), PATIENCE_MS))
    .config;
  const has = (copies: number): Is => {
    return async (info) => {
      if (info.config.num_replicas === copies) return isCurrent(info);
      // The other half must not be left out because an answer was: again until it is in time.
      await streams.update(stream, { num_replicas: copies }).catch(() => {});
      return false;
    };
  };
  const isAlone = await until(connection, stream, has(1));
  return (await until(connection, stream, has(wanted))) && isAlone;
}

/** A bucket of which single nodes have lost lines, or which they have stopped to follow. */
export interface HurtBucket {
  readonly stream: string;
  readonly problem: 'lost_on_node';
  readonly nodes: readonly string[];
  readonly repaired: boolean;
  /** What keeps it from being repaired, and what to do. */
  readonly why?: string;
}

/**
 * The lines of a bucket that are not on all nodes, each with those nodes that differ from most: they lack it, or
 * they have it alone, as it was erased while their copy stood still. And the nodes whose copies cannot be read.
 */
export async function findUnevenLines(connection: LogConnection, stream: string) {
  const losses = await findNodeLosses(connection, stream);
  const { nodes = [], unread = [], away = [] } = (await currentCopies(connection, stream)) ?? {};
  const lines = losses.map(({ nodes: lacking, message: { subject, seq } }) => {
    const isLost = lacking.length * 2 < nodes.length + unread.length;
    const holding = nodes.filter((name) => !lacking.includes(name));
    return { subject, seq, nodes: isLost ? lacking : holding };
  });
  return { lines, nodes, unread, away };
}

/**
 * Lets nodes that have lost lines of a bucket, or do not follow it any more, copy all of it from one that
 * does. It has to be done before anything is written there: nats-server 2.14 and newer stops a copy for good
 * when a line is replaced in it that cannot be read. `undefined`: all nodes have the same.
 */
export async function copyBucketAgain(
  connection: LogConnection,
  stream: string,
  { dryRun }: { readonly dryRun: boolean },
): Promise<HurtBucket | undefined> {
  const { lines, nodes, unread, away } = await findUnevenLines(connection, stream);
  const hurt = [...new Set([...lines.flatMap((one) => one.nodes), ...unread])];
  if (lines.length === 0 && unread.length === away.length) return undefined;
  const why = await copyAgain();
  const bucket = { stream, problem: 'lost_on_node', nodes: hurt } as const;
  return why === undefined ? { ...bucket, repaired: true } : { ...bucket, repaired: false, why };

  async function copyAgain(): Promise<string | undefined> {
    const [whole] = nodes.filter((name) => !hurt.includes(name));
    // A copy of what cannot be read would never be complete.
    if (whole === undefined)
      return `no node has all of it: delete the bucket (nats stream rm ${stream}), then run \`replay rebuild\``;
    // With fewer nodes the copies that are dropped are not made again.
    if (away.length > 0) return `${away.join(', ')} is away: start it, then repair again`;
    if (dryRun) return 'it can be repaired: this was a dry run';
    if ((await lead(connection, stream, whole)) && (await copyFromLeader(connection, stream))) {
      const left = await findUnevenLines(connection, stream);
      if (left.lines.length === 0 && left.unread.length === 0) return undefined;
    }
    return `no copy was made in time: run \`npm run streams\`; if that does not help, end ${hurt.join(', ')}, remove the folder ${stream} in the store there, and start it`;
  }
}
