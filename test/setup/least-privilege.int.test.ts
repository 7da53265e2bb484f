/**
 * Tests what the users of nats-server in `nats.conf` may and may not do: the operator creates the
 * streams, and the service only uses them.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { headers as natsHeaders } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kvClaims } from '../../src/adapters/nats/claims.ts';
import type { LogConnection } from '../../src/adapters/nats/connection.ts';
import { openLogs } from '../../src/adapters/nats/log.ts';
import { isForbidden } from '../../src/adapters/nats/outage.ts';
import { createStreams } from '../../src/adapters/nats/streams.ts';
import { PROGRAM_ENV } from '../environment/compile-cache.ts';
import { prepareNodes } from '../lab/cluster/nodes.ts';
import { makeStreams } from '../lab/cluster/streams.ts';
import { connectAs } from '../support/log/connect-as.ts';
import { anEvent, aPaymentEvent } from '../support/log/events.ts';
import { streamSettings } from '../support/log/streams.ts';

/** The folder of three nodes with the users of `nats.conf`. */
let home: string;
let cluster: Awaited<ReturnType<typeof prepareNodes>>;
let service: LogConnection;
let operator: LogConnection;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'least-privilege-'));
  cluster = await prepareNodes({ home, onEnd: () => {} });
  await Promise.all(cluster.nodes.map(({ server }) => server.start()));
  operator = await connectAs(cluster.operator);
  service = await connectAs(cluster.service);
});
afterAll(async () => {
  await service?.close();
  await operator?.close();
  await Promise.all(cluster.nodes.map(({ server }) => server.stop()));
  await rm(home, { recursive: true, force: true });
});

const refused = (call: Promise<unknown>) => expect(call).rejects.toSatisfy(isForbidden);

test('before the streams are created, the service says who has to create them', async () => {
  await expect(createStreams(service, streamSettings)).rejects.toThrow(
    /KV_marks is missing .* Run `npm run operate -- streams` as the operator's user/,
  );
});

test('the one-shot setup creates every stream, and a second run changes nothing', async () => {
  const env = { ...PROGRAM_ENV, ...cluster.operator };
  const made = await makeStreams(env);
  expect(made).toContain('PAYMENTS: created');
  expect(await makeStreams(env)).toEqual(made.map((line) => line.replace('created', 'unchanged')));
});

test('the service finds the streams as they are, and reads and writes them', async () => {
  const { tests, payments } = openLogs(service);
  const appended = await tests.append('aaaaaaaaaaaa', anEvent('TestCreated'), 0);
  if (appended.outcome !== 'appended') throw new Error(appended.outcome);
  expect(await tests.read('aaaaaaaaaaaa')).toHaveLength(1);
  await tests.erase(appended.seq, 'secure');
  expect(await tests.read('aaaaaaaaaaaa')).toEqual([]);
  const paid = await payments.append('aaaaaaaaaaaa', aPaymentEvent('SettlementStarted'), 0);
  expect(paid.outcome).toBe('appended');
});

test('the service can neither delete, purge nor change what does not belong to it', async () => {
  const { streams } = service.jsm;
  await refused(streams.purge('PAYMENTS'));
  await refused(streams.deleteMessage('PAYMENTS', 1));
  await refused(streams.delete('PAYMENTS'));
  await refused(streams.delete('TESTS'));
  await refused(streams.purge('TESTS'));
  await refused(streams.update('PAYMENTS', { max_msgs: 1 }));
  await refused(streams.add({ name: 'COPY', subjects: ['copy'], mirror: { name: 'PAYMENTS' } }));
  await refused(service.nc.request('$JS.API.STREAM.SNAPSHOT.TESTS', '{}'));
  await refused(service.nc.request('$JS.API.STREAM.LEADER.STEPDOWN.TESTS', '{}'));
  await refused(service.nc.request('$KV.others.key', 'x'));
});

test.each(['>', 'tests.*', 'payments.*', '_INBOX.operator.>', '$JS.EVENT.ADVISORY.>', '$SYS.>'])(
  'the service cannot listen to %s',
  async (subject) => {
    const subscription = service.nc.subscribe(subject);
    const listening = (async () => {
      for await (const _ of subscription) break;
    })();
    await refused(listening);
  },
);

test('nobody can delete what was paid for, not even the operator', async () => {
  const { streams } = operator.jsm;
  await expect(streams.purge('PAYMENTS')).rejects.toMatchObject({ code: 10110 });
  await expect(streams.deleteMessage('PAYMENTS', 1)).rejects.toMatchObject({ code: 10057 });
  expect((await streams.info('PAYMENTS')).state.messages).toBe(1);
});

test('nobody can delete or replace what a payment was claimed for, not even the service', async () => {
  const claims = kvClaims(service);
  const claim = { id: 'aaaaaaaaaaaa', at: '2026-11-24T12:00:00.000Z', by: 'one', from_block: 1 };
  expect(await claims.claim('eip155.8453.a.b.c', claim)).toEqual(claim);
  await refused(service.jsm.streams.deleteMessage('KV_payment_claims', 1));
  const subject = '$KV.payment_claims.eip155.8453.a.b.c';
  for (const [name, value] of [
    ['KV-Operation', 'DEL'],
    ['Nats-Rollup', 'sub'],
    ['Other', 'x'],
  ]) {
    const headers = natsHeaders();
    headers.set(name ?? '', value ?? '');
    await expect(service.js.publish(subject, '', { headers })).rejects.toThrow();
  }
  expect(await claims.claim('eip155.8453.a.b.c', { ...claim, id: 'other' })).toEqual(claim);
});

test('without the certificate of the authority, nobody is admitted', async () => {
  const { NATS_TLS_CA_FILE: _, ...others } = cluster.service;
  const strange = { ...others, NATS_TLS_CA_FILE: '/dev/null' };
  await expect(connectAs(strange)).rejects.toThrow();
});
