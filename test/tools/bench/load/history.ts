import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendMail, type Via } from '../../../environment/mail.ts';
import { payingFetch } from '../../../environment/payer.ts';
import { SENDER } from '../../../environment/sender.ts';

/** How a test's history ended. `shed`: turned away with a code that says "later"; `fault`: anything else. */
export type Ending =
  | {
      readonly how: 'ready';
      readonly testId: string;
      /** From DATA to the reply to the mail. */
      readonly mailMs: number;
      /** From the reply to the poll that shows the report. */
      readonly readyMs: number;
      readonly pollMs: number;
    }
  | { readonly how: 'shed' | 'fault'; readonly what: string };

export interface Place {
  readonly http: string;
  readonly metrics: string;
  /** Of the service. */
  readonly pid: number;
  readonly via: Via;
  readonly mail: Buffer;
  readonly payerKey: `0x${string}`;
  readonly network: string;
}

/** Between two polls, in milliseconds. */
const POLL_MS = 250;

/** Longest wait for a report once the mail was taken, in milliseconds. */
const READY_MS = 60_000;

interface Created {
  readonly test_id: string;
  readonly address: string;
  readonly read_token: string;
}

/** One test from its creation to its report, by one who does not try again. */
export async function playHistory(place: Place, pays: boolean): Promise<Ending> {
  const { http, via, mail } = place;
  const created = await fetch(`${http}/v1/tests`, { method: 'POST' });
  if (created.status !== 201) return refused(`create ${created.status}`, created.status);
  const test = (await created.json()) as Created;
  const envelope = { from: `orders@${SENDER.domain}`, to: test.address };
  let handedOver = performance.now();
  const raw = Readable.from([mail]).once('end', () => {
    handedOver = performance.now();
  });
  try {
    await sendMail({ envelope, raw }, via);
  } catch (error) {
    const code = Number((error as { responseCode?: unknown }).responseCode ?? 0);
    return refused(`mail ${code || (error as Error).message}`, code);
  }
  const taken = performance.now();
  const mailMs = taken - handedOver;
  for (;;) {
    const asked = performance.now();
    const answer = await fetch(`${http}/v1/tests/${test.test_id}/status`);
    const { status } = (await answer.json()) as { status?: string };
    const pollMs = performance.now() - asked;
    if (status === 'ready') {
      const readyMs = performance.now() - taken;
      const ready: Ending = { how: 'ready', testId: test.test_id, mailMs, readyMs, pollMs };
      return pays ? pay(place, test, ready) : ready;
    }
    if (status !== 'processing' && status !== 'waiting')
      return { how: 'fault', what: `status ${status ?? answer.status}` };
    if (performance.now() - taken > READY_MS)
      return { how: 'fault', what: 'a mail that was taken is not ready' };
    await sleep(POLL_MS);
  }
}

async function pay(
  { http, payerKey, network }: Place,
  test: Created,
  ready: Ending,
): Promise<Ending> {
  const headers = { 'X-Read-Token': test.read_token };
  const paid = await payingFetch(payerKey, network)(`${http}/v1/report?test_id=${test.test_id}`, {
    headers,
  });
  await paid.arrayBuffer();
  return paid.status === 200 ? ready : refused(`report ${paid.status}`, paid.status);
}

const LATER = new Set([421, 429, 450, 451, 452, 503]);

const refused = (what: string, code: number): Ending => ({
  how: LATER.has(code) ? 'shed' : 'fault',
  what,
});
