/** Tests that a backup of one nats-server can be restored on another. */

import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { kvClaims } from '../../../src/adapters/nats/claims.ts';
import { backUp } from '../../../src/operator/replay/backup.ts';
import { restore } from '../../../src/operator/replay/restore.ts';
import { flipMessages } from '../../faults/files/damages.ts';
import { startLogs } from '../../support/log/nats-log.ts';
import { writeReadyTest } from '../../support/payments/ready-test.ts';
import { prng } from '../../support/prng/prng.ts';

type Target = Awaited<ReturnType<typeof startLogs>> & {
  readonly allClaims: ReturnType<typeof kvClaims>;
};

test('the backup of one nats-server is restored on another', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'backup-'));
  const path = join(folder, 'log.jsonl');
  const [from, to] = (await Promise.all([startLogs(), startLogs()])).map((logs) => ({
    ...logs,
    allClaims: kvClaims(logs.connection),
  })) as [Target, Target];
  const progress = () => {};
  try {
    const ids: string[] = [];
    for (let n = 0; n < 20; n++) ids.push((await writeReadyTest(from)).test_id);
    expect(await backUp(from, { path, replace: true, progress })).toEqual({
      events: 80,
      claims: 0,
      damaged: 0,
    });
    // The positions differ from those in the backup.
    await writeReadyTest(to);
    const readLines = () => createInterface({ input: createReadStream(path) });
    expect(await restore(to, readLines, progress)).toMatchObject({
      events: 80,
      there: 0,
      left_out: [],
    });
    for (const id of ids) {
      const done = (await to.tests.read(id)).at(-1)?.event;
      const place = done?.type === 'AnalysisDone' ? done.data.report_seq : 0;
      const [written] = await from.reports.read(id);
      expect((await to.reports.readAt(place))?.event).toEqual(written?.event);
    }
    expect(await restore(to, readLines, progress)).toMatchObject({ events: 80, there: 80 });

    // An end of a history that cannot be read is delivered to nobody. The backup must not take the rest of the
    // history for a complete one.
    const [id = ''] = ids;
    const { seq = 0 } = (await from.tests.read(id)).at(-1) ?? {};
    await from.server.stop();
    const places = [{ stream: 'TESTS', subject: `tests.${id}`, seq }];
    await flipMessages(from.server.storeDir, places, prng(1));
    await from.server.start();
    expect(await backUp(from, { path, replace: true, progress })).toMatchObject({ damaged: 1 });
    expect(await restore(to, readLines, progress)).toMatchObject({ left_out: [`tests.${id}`] });
  } finally {
    await Promise.all([from.end(), to.end()]);
    await rm(folder, { recursive: true, force: true });
  }
});
