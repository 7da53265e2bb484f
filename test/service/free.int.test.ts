/** Tests a service that sells nothing, from an empty folder to a report. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEnvironment } from '../environment/environment.ts';
import { demoMail, sendMailPatiently } from '../environment/mail.ts';
import { startService } from '../environment/service-process.ts';
import type { CreatedTest } from '../support/process/stack.ts';

let environment: Awaited<ReturnType<typeof startEnvironment>>;
let service: Awaited<ReturnType<typeof startService>>;
let folder: string;
const lines: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'free-'));
  // The service runs its own nats-server, and no setting names a chain.
  environment = await startEnvironment({ PATH: process.env.PATH, NATS_URL: 'none' });
  const others = Object.entries(environment.env).filter(([name]) => !/^X402_|^NATS_/.test(name));
  service = await startService({
    env: {
      ...Object.fromEntries(others),
      DATA_DIR: folder,
      PAYMENTS: 'off',
    },
    onLog: (line) => lines.push(line),
  });
});
afterAll(async () => {
  await service?.stop();
  await environment?.stop();
  await rm(folder, { recursive: true, force: true });
});

test('a service that sells nothing needs no chain: from an empty folder to the report on an email', async () => {
  const { http, smtp } = service.listening();
  const response = await fetch(`${http}/v1/tests`, { method: 'POST' });
  const created = (await response.json()) as CreatedTest;
  const [host = '', port = ''] = smtp.split(/:(?=\d+$)/);
  const via = { host, port: Number(port), client: environment.client };
  expect(await sendMailPatiently(demoMail(created.address, environment.key), via)).toMatch(/^250/);

  const reportUrl = `${http}/v1/report?test_id=${created.test_id}`;
  const headers = { 'x-read-token': created.read_token };
  const answer = await fetch(reportUrl, { headers });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ test_id: created.test_id });

  const sample = await fetch(`${http}/v1/report?test_id=samplereport`);
  expect(sample.status).toBe(200);
  expect(await (await fetch(`${http}/readyz`)).json()).not.toHaveProperty('selling');
  expect(lines.filter((line) => line.includes('PAYMENTS=off'))).toHaveLength(1);

  expect(
    (await fetch(`${http}/v1/tests/${created.test_id}`, { method: 'DELETE', headers })).status,
  ).toBe(204);
  expect((await fetch(reportUrl, { headers })).status).toBe(404);
});
