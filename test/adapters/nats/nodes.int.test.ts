import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { connectNats } from '../../../src/adapters/nats/connection.ts';
import { copyBucketAgain, lead } from '../../../src/adapters/nats/copies.ts';
import { findNodeLosses, findUnreadNodes } from '../../../src/adapters/nats/nodes.ts';
import { prng } from '../../support/prng/prng.ts';
import { eventually } from '../../support/process/eventually.ts';
import { startReplica } from '../../tools/soak/storage/a-log.ts';
import { flipMessages } from '../../tools/soak/storage/damages.ts';
import { everyMessage, storedMessages } from '../../tools/soak/storage/every-message.ts';
import { idOf, writeHistory } from '../../tools/soak/storage/histories.ts';
import {
  type Cluster,
  type ClusterNode,
  startCluster,
} from '../../tools/soak/storage/nats-cluster.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterEach(() => cluster.clear());
afterAll(() => cluster.end());

/** Writes tests of these kinds, until every node has all of them: whichever is asked gives them. */
async function write(...kinds: readonly Parameters<typeof writeHistory>[1][]): Promise<void> {
  const writer = await startReplica(cluster, undefined);
  for (const [n, kind] of kinds.entries()) await writeHistory(writer, kind, n);
  // Lines are written of what the writer has followed; on a busy machine that comes later.
  for (const n of kinds.keys()) {
    const last_by_subj = `tests.${idOf(n)}`;
    const last = await cluster.connection.jsm.streams.getMessage('TESTS', { last_by_subj });
    await eventually(() => expect(writer.follower.row(idOf(n))?.seq).toBe(last?.seq));
  }
  await writer.projected();
  await writer.stop();
  await cluster.settled();
}

/**
 * Flips messages in a node's files until all of them are lost there. One that ended while it was busy may not have
 * written down what it had: it reads its files at its start, and copies from the others what is hurt.
 */
async function harm(
  node: ClusterNode,
  lines: Parameters<typeof flipMessages>[1],
  seed: number,
  lengths?: number,
): Promise<void> {
  expect(lines).not.toEqual([]);
  const random = prng(seed);
  const streams = [...new Set(lines.map(({ stream }) => stream))];
  for (let left = 5; left > 0; left--) {
    // Else its copies come after the damage.
    await cluster.settled();
    await node.stop();
    await flipMessages(node.storeDir, lines, random, lengths);
    await node.start();
    await cluster.settled();
    const losses = streams.map((stream) => findNodeLosses(cluster.connection, stream));
    const lost = (await Promise.all(losses)).flat().filter((one) => one.nodes.includes(node.name));
    if (lost.length >= lines.length) return;
  }
}

test.each([
  ['', 0],
  ['the length of the headers of ', 1],
])('%swhat one node of three has lost is found there', async (_, lengths) => {
  await write('paid');
  const { connection, nodes } = cluster;
  const stored = (await storedMessages(connection)).get(idOf(0)) ?? [];
  const [victim] = nodes as [ClusterNode];
  await victim.stop();
  expect(await findUnreadNodes(connection, ['TESTS'])).toEqual([
    { stream: 'TESTS', node: victim.name },
  ]);
  await victim.start();
  await harm(victim, stored, 1, lengths);
  for (const stream of ['TESTS', 'KV_status']) {
    const losses = await findNodeLosses(connection, stream);
    expect(losses.map((one) => [...one.nodes, one.message.seq])).toEqual(
      stored.filter((one) => one.stream === stream).map(({ seq }) => [victim.name, seq]),
    );
  }
});

const order = { dryRun: false };

test('a node that has lost lines of a bucket, or has stopped its copy, copies it again', async () => {
  await write('paid', 'waiting');
  const { connection, nodes } = cluster;
  await connection.js.publish('$KV.status.x', '{"is":"erased later"}');
  const [victim, other] = nodes as [ClusterNode, ClusterNode];
  const lines = [...(await storedMessages(connection)).values()]
    .flat()
    .filter(({ stream, subject }) => stream === 'KV_status' && !subject.endsWith('.x'));
  await harm(victim, lines, 1);

  // Over a line that it cannot read: nats-server 2.14 and newer never follows this bucket again.
  await lead(connection, 'KV_status', other.name);
  await connection.js.publish(`$KV.status.${idOf(1)}`, '{"is":"newer"}');
  const erased = await connection.jsm.streams.getMessage('KV_status', {
    last_by_subj: '$KV.status.x',
  });
  await connection.jsm.streams.deleteMessage('KV_status', erased?.seq ?? 0);
  const hurt = { stream: 'KV_status', problem: 'lost_on_node', nodes: [victim.name] };
  const dry = await copyBucketAgain(connection, 'KV_status', { dryRun: true });
  expect(dry).toMatchObject({ ...hurt, repaired: false });
  const done = await copyBucketAgain(connection, 'KV_status', order);
  expect(done).toEqual({ ...hurt, repaired: true });
  expect(await copyBucketAgain(connection, 'KV_status', order)).toBeUndefined();
  expect((await connection.jsm.streams.info('KV_status')).config.num_replicas).toBe(3);
  await lead(connection, 'KV_status', victim.name);
  const read = (n: number) =>
    connection.jsm.streams.getMessage('KV_status', { last_by_subj: `$KV.status.${idOf(n)}` });
  expect((await read(0))?.json()).toMatchObject({ status: 'ready' });
  expect((await read(1))?.json()).toEqual({ is: 'newer' });
  // What was erased while its copy stood still does not come back.
  const gone = connection.jsm.streams.getMessage('KV_status', { last_by_subj: '$KV.status.x' });
  expect(await gone).toBeNull();
});

test('who is connected to a node which has stopped its copy reads at another, and repairs it', async () => {
  await write('waiting', 'waiting', 'waiting');
  const { connection, nodes } = cluster;
  const [victim] = nodes as [ClusterNode];
  const [line] = (await storedMessages(connection)).get(idOf(1))?.slice(-1) ?? [];
  await harm(victim, line ? [line] : [], 2, 0);
  await lead(connection, 'KV_status', victim.name);
  // Never answered: the leader stops its copy over the line that it cannot read.
  await connection.js.publish(`$KV.status.${idOf(1)}`, '{"is":"newer"}').catch(() => {});

  const connect = () => connectNats({ url: victim.url, name: 'stuck', replicas: 3 });
  const [reader, stuck] = [await connect(), await connect()];
  // From then on it says that there is no leader.
  await eventually(async () =>
    expect((await stuck.jsm.streams.info('KV_status')).cluster?.leader).toBeUndefined(),
  );
  const read = reader.reach(
    () => reader.jsm.streams.getMessage('KV_status', { last_by_subj: `$KV.status.${idOf(0)}` }),
    30_000,
  );
  expect((await read)?.json()).toMatchObject({ status: 'waiting' });
  const done = await copyBucketAgain(stuck, 'KV_status', order);
  expect(done).toMatchObject({ nodes: [victim.name], repaired: true });
  await Promise.all([reader.close(), stuck.close()]);
});

test('a bucket of which each node has lost another line stays as it is: no copy of it would be complete', async () => {
  await write('waiting', 'waiting', 'waiting');
  const { connection, nodes } = cluster;
  const stored = await storedMessages(connection);
  for (const [n, node] of nodes.entries()) {
    const lines = (stored.get(idOf(n)) ?? []).filter(({ stream }) => stream === 'KV_status');
    await harm(node, lines, n);
  }
  const hurt = await copyBucketAgain(connection, 'KV_status', order);
  expect(hurt).toMatchObject({ repaired: false, why: expect.stringContaining('replay rebuild') });
  expect(hurt?.nodes.toSorted()).toEqual(['node-1', 'node-2', 'node-3']);
  expect((await connection.jsm.streams.info('KV_status')).config.num_replicas).toBe(3);
});

// A start: `npm run soak -- storage --nodes 3 --every` goes through all kinds of tests on each node.
test('each message of a ready and a paid test that one node has lost is repaired, whichever node leads', async () => {
  const victim = prng(7).pick(cluster.nodes);
  const fates = await everyMessage(cluster, victim, 7, ['ready', 'paid']);
  expect(fates.filter(({ message }) => message !== '').length).toBeGreaterThan(10);
  for (const { kind, message, damaged, repaired } of fates) {
    expect(['same', 'frozen'], `${kind}: ${message}`).toContain(damaged);
    expect(repaired, `${kind}: ${message}`).toBe('same');
  }
});
