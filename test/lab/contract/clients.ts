/** Uses the two generated API clients against a live service. */

import { sampleReport } from '../../../src/analysis/sample.ts';
import { anApi, given, ready, TOKEN } from '../../api/harness.ts';
import { TEST_ID } from '../../support/process/instants.ts';
import type { Stack } from '../../support/process/stack.ts';
import { CLIENTS, useClient } from './generate.ts';

/** A check that no release has yet. */
const UNKNOWN = 'a_check_of_tomorrow';

/** Takes both clients through the whole flow, and past things that they cannot know. */
export async function useClients(folder: string, stack: Stack): Promise<readonly string[]> {
  const wrong: string[] = [];
  const expect = (what: string, holds: boolean) => holds || wrong.push(what);

  for (const name of CLIENTS) {
    const use = (...args: readonly string[]) => useClient(folder, name, [stack.http(), ...args]);
    const created = await use('create');
    const id = String(created.test_id);
    const token = String(created.read_token);
    await stack.send(String(created.address));
    expect(`${name}: status`, (await use('status', id)).status === 'ready');
    const unpaid = await use('read', id, token);
    expect(`${name}: 402`, unpaid.payTo === stack.environment.chain.payTo);
    await stack.pay({ test_id: id, address: '', read_token: token });
    const paid = await use('read', id, token);
    expect(`${name}: report`, Number(paid.score) > 0 && Array.isArray(paid.findings));
    expect(`${name}: deletion`, (await use('delete', id, token)).status === 204);
    expect(`${name}: new ids`, await passesUnknown(folder, name));
  }
  return wrong;
}

/** Sends a report of a later release, with a finding and a member that today's document does not list. */
async function passesUnknown(folder: string, name: (typeof CLIENTS)[number]): Promise<boolean> {
  const api = await anApi();
  await given(api, ...ready());
  const [finding] = sampleReport.findings;
  if (!finding) throw new Error('The sample has no finding.');
  const report = { ...sampleReport, findings: [{ ...finding, id: UNKNOWN }], of_tomorrow: 1 };
  api.paid.answer = { report };
  const base = await api.app.listen({ host: '127.0.0.1', port: 0 });
  const read = await useClient(folder, name, [base, 'read', TEST_ID, TOKEN]);
  await api.app.close();
  return JSON.stringify(read.findings).includes(UNKNOWN);
}
