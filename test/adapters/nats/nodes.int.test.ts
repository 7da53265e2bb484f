import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findNodeLosses, findUnreadNodes } from '../../../src/adapters/nats/nodes.ts';
import { askAll, startReplica, writeTests } from '../../tools/soak/storage/a-log.ts';
import {
  type Cluster,
  type ClusterNode,
  startCluster,
} from '../../tools/soak/storage/nats-cluster.ts';
import { repairAll } from '../../tools/soak/storage/round.ts';

const TESTS = 6;

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.end());

/** Flips a bit of the last message with that text in the node's copy of a stream. */
async function flip({ storeDir }: ClusterNode, stream: string, text: string): Promise<void> {
  const folder = join(storeDir, 'jetstream', '$G', 'streams', stream, 'msgs');
  const [block = ''] = (await readdir(folder)).filter((name) => name.endsWith('.blk'));
  const bytes = await readFile(join(folder, block));
  const place = bytes.lastIndexOf(text);
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  await writeFile(join(folder, block), bytes);
}

test('what one node of three has lost is found there, and repaired for whichever leads', async () => {
  const writer = await startReplica(cluster, undefined);
  await writeTests(writer, 0, TESTS);
  await writer.follower.ready;
  const before = await askAll(writer, TESTS);
  await writer.projected();
  await writer.stop();
  const { connection, nodes } = cluster;
  for (const stream of ['TESTS', 'REPORTS', 'PAYMENTS', 'KV_reports'])
    expect(await findNodeLosses(connection, stream)).toEqual([]);

  const [victim] = nodes as [ClusterNode];
  await victim.stop();
  await flip(victim, 'TESTS', '"MailArrived"');
  await flip(victim, 'REPORTS', '"ReportWritten"');
  await flip(victim, 'PAYMENTS', '"SettlementStarted"');
  expect(await findUnreadNodes(connection, ['TESTS'])).toEqual([
    { stream: 'TESTS', node: victim.name },
  ]);
  await victim.start();
  await cluster.settled();
  const lossesOf = async (stream: string) =>
    (await findNodeLosses(connection, stream)).map(({ nodes: names, message }) => [
      ...names,
      message.json<{ type: string }>().type,
    ]);
  expect(await lossesOf('TESTS')).toEqual([[victim.name, 'MailArrived']]);
  expect(await lossesOf('REPORTS')).toEqual([[victim.name, 'ReportWritten']]);
  expect(await lossesOf('PAYMENTS')).toEqual([[victim.name, 'SettlementStarted']]);

  const repairer = await startReplica(cluster, undefined, repairAll);
  await repairer.stop();
  for (const { name } of nodes) {
    await cluster.lead(name);
    const replica = await startReplica(cluster, undefined);
    expect(await askAll(replica, TESTS), name).toEqual(before);
    await replica.stop();
  }
});
