/** Tests that a message with a flipped bit on the disk never makes a history look complete. */

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectNats } from '../../../src/adapters/nats/connection.ts';
import { createStreams } from '../../../src/adapters/nats/streams.ts';
import { findDamaged } from '../../../src/operator/replay/verify.ts';
import type { EventLog } from '../../../src/ports/log.ts';
import { anEvent, aPaymentEvent, aReportWritten } from '../../support/log/events.ts';
import { startNats } from '../../support/log/nats-server.ts';
import { logsOf } from '../../support/log/nats-test-histories.ts';
import { streamSettings } from '../../support/log/streams.ts';

/** Flips one bit of a stored message, which is found by a text that only this message contains. */
async function flip(storeDir: string, stream: string, text: string): Promise<void> {
  const folder = join(storeDir, 'jetstream', '$G', 'streams', stream, 'msgs');
  const [block = ''] = (await readdir(folder)).filter((name) => name.endsWith('.blk'));
  const bytes = await readFile(join(folder, block));
  const at = bytes.indexOf(text);
  expect(at).toBeGreaterThan(0);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(join(folder, block), bytes);
}

async function append<E>(log: EventLog<E>, id: string, events: readonly E[]): Promise<void> {
  let seq = 0;
  for (const event of events) {
    const appended = await log.append(id, event, seq);
    if (appended.outcome !== 'appended') throw new Error(appended.outcome);
    seq = appended.seq;
  }
}

// nats-server 2.15.1 returns such a message as missing, and its subject as empty if it is the last one.
test('a message with a bit flipped on the disk never makes a history look complete', async () => {
  const server = await startNats();
  const [A, B, C] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc'] as const;
  const started = aPaymentEvent('SettlementStarted', 64);
  const settled = aPaymentEvent('PaymentSettled', 65);
  const only = aPaymentEvent('SettlementStarted', 66);
  const arrived = anEvent('MailArrived', 60);
  try {
    const first = await connectNats({ url: server.url, name: 'test' });
    await createStreams(first, streamSettings);
    const before = logsOf(first);
    await append(before.payments, A, [started, settled]);
    await append(before.payments, B, [only]);
    await append(before.payments, C, [aPaymentEvent('SettlementStarted', 67)]);
    await append(before.tests, A, [anEvent('TestCreated'), arrived, anEvent('AnalysisDone', 61)]);
    await before.reportViews.put(A, { seq: 1, report: aReportWritten({ score: 11 }).data.report });
    await before.reportViews.put(B, { seq: 2, report: aReportWritten({ score: 22 }).data.report });
    await first.close();
    await server.stop();
    await flip(server.storeDir, 'PAYMENTS', settled.id);
    await flip(server.storeDir, 'PAYMENTS', only.id);
    await flip(server.storeDir, 'TESTS', arrived.id);
    await flip(server.storeDir, 'KV_reports', '"score":11');
    await server.start();

    const connection = await connectNats({ url: server.url, name: 'test' });
    const { tests, payments, reportViews } = logsOf(connection);
    await expect(payments.read(A)).rejects.toMatchObject({ code: 'test_damaged' });
    await expect(payments.read(B)).rejects.toMatchObject({ code: 'test_damaged' });
    await expect(tests.read(A)).rejects.toMatchObject({ code: 'test_damaged' });
    expect(await payments.read(C)).toHaveLength(1);
    expect(await payments.read('dddddddddddd')).toEqual([]);
    const found = await findDamaged(payments, { name: 'payments', progress: () => {} });
    expect(new Set(found.map(({ subject }) => subject))).toEqual(
      new Set([`payments.${A}`, `payments.${B}`]),
    );
    // A start lists the views, and a view that cannot be read does not stop it.
    expect(await reportViews.keys()).toEqual([A, B]);
    expect(await reportViews.get(A)).toBeUndefined();
    await connection.close();
  } finally {
    await server.end();
  }
});
