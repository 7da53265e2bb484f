import { setTimeout as sleep } from 'node:timers/promises';
import type { Via } from '../../../environment/mail.ts';
import { payingFetch } from '../../../environment/payer.ts';
import { SENDER } from '../../../environment/sender.ts';
import { accepted, openTransaction, Refusal } from '../mails/transaction.ts';

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
  /** A mail as it goes over the wire. */
  readonly content: Buffer;
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
  const { http } = place;
  const created = await fetch(`${http}/v1/tests`, { method: 'POST' });
  if (created.status !== 201) return refused(`create ${created.status}`, created.status);
  const test = (await created.json()) as Created;
  let mailMs: number;
  try {
    mailMs = await deliver(place, test.address);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refused(`mail ${error.message.slice(0, 300)}`, error.code);
  }
  const taken = performance.now();
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

/** @returns milliseconds from DATA to the reply */
async function deliver({ via, content }: Place, to: string): Promise<number> {
  const session = await openTransaction(via, { from: SENDER.domain, to });
  try {
    const begin = performance.now();
    session.write(content);
    accepted(await session.reply());
    session.write('QUIT\r\n');
    return performance.now() - begin;
  } catch (error) {
    session.vanish();
    throw error;
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
  if (paid.ok) {
    await paid.arrayBuffer();
    return ready;
  }
  const { detail = '' } = (await paid.json()) as { detail?: string };
  return refused(`report ${paid.status} ${detail}`, paid.status);
}

const LATER = new Set([421, 429, 450, 451, 452, 503]);

const refused = (what: string, code: number): Ending => ({
  how: LATER.has(code) ? 'shed' : 'fault',
  what,
});
