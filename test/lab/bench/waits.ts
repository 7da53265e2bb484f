/**
 * Measures how many emails per second the service accepts, and how long a sender waits until the report is
 * ready, at shares of that rate.
 */

import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDns } from '../../edge/crowd/dns.ts';
import { newSenderKey, senderZone } from '../../environment/sender.ts';
import type { Figure } from './figures.ts';
import {
  type Created,
  deliver,
  inLanes,
  type MeasuredService,
  startMeasured,
} from './measured-service.ts';
import { KIB, sizedMail } from './sized-mail.ts';
import { alternate, quantile } from './statistics.ts';

const BYTES = 10 * KIB;

/**
 * Emails to each side before measuring, because code is still being compiled until then, and to find how many
 * per second it can process.
 */
const WARM_EMAILS = 2304;
const CAPACITY_EMAILS = 512;
const SENDERS = 64;

/** Shares of that, and emails at each share per round. */
const SHARES = [0.1, 0.5, 0.9];
const EMAILS = 200;
const ROUNDS = 4;

/** Pause between two polls of a test's status, in milliseconds. */
const LOOK_MS = 2;

/** Sends one email, and waits until its test is ready. @returns milliseconds from its last byte */
async function waitFor(
  { http, via }: MeasuredService,
  mail: Buffer,
  { test_id, address }: Created,
): Promise<number> {
  let sent = Number.NaN;
  const open = () => Readable.from([mail]).once('end', () => (sent = performance.now()));
  await deliver(open, address, via);
  for (;;) {
    const response = await fetch(`${http}/v1/tests/${test_id}/status`);
    const { status } = (await response.json()) as { status: string };
    if (status === 'ready') return performance.now() - sent;
    if (status !== 'processing') throw new Error(`A test has become ${status}.`);
    await sleep(LOOK_MS);
  }
}

/** Sends this many emails per second, whatever happens to the previous ones. */
async function waitsAt(
  side: MeasuredService,
  mail: Buffer,
  aSecond: number,
): Promise<readonly number[]> {
  const tests = await side.createTests(EMAILS);
  return Promise.all(
    tests.map(async (test, at) => {
      await sleep((at * 1000) / aSecond);
      return waitFor(side, mail, test);
    }),
  );
}

/** Returns how many emails per second are accepted if there are always more. */
async function capacityOf(side: MeasuredService, mail: Buffer, emails: number): Promise<number> {
  const tests = await side.createTests(emails);
  const begin = performance.now();
  await inLanes(
    SENDERS,
    tests.map(
      ({ address }) =>
        () =>
          deliver(() => mail, address, side.via),
    ),
  );
  return (emails * 1000) / (performance.now() - begin);
}

/**
 * Measures the time from the last byte of DATA to `ready`, at shares of what the service can process. If
 * another state of the project is given, it gets the same number of emails per second.
 * @param before the other state's folder, with its packages installed
 */
export async function benchWaits(before?: string): Promise<readonly Figure[]> {
  await using stack = new AsyncDisposableStack();
  const key = newSenderKey();
  const dns = await startDns();
  stack.defer(dns.stop);
  await dns.call('setZone', senderZone(key));
  const mail = await sizedMail(BYTES, 'anybody@in.example.net', key);
  const start = async (checkout?: string) => {
    const service = await startMeasured(dns.address, checkout);
    stack.defer(service.stop);
    await capacityOf(service, mail, WARM_EMAILS);
    return service;
  };
  const ours = await start();
  const theirs = before === undefined ? undefined : await start(before);
  const capacity = await capacityOf(theirs ?? ours, mail, CAPACITY_EMAILS);

  const figures: Figure[] = [
    { what: 'emails of 10 KiB accepted at most', value: capacity, unit: 'a second' },
  ];
  for (const share of SHARES) {
    const waits = (side?: MeasuredService) => async () =>
      side ? waitsAt(side, mail, share * capacity) : [];
    const pairs = await alternate(ROUNDS, waits(ours), waits(theirs));
    for (const part of [0.5, 0.99]) {
      const value = quantile(
        pairs.flatMap((pair) => pair.ours),
        part,
      );
      const yardstick = quantile(
        pairs.flatMap((pair) => pair.yardstick),
        part,
      );
      figures.push({
        what: `DATA to ready at ${share * 100} % of that, p${part * 100}`,
        unit: 'ms',
        value,
        ...(theirs && { yardstick, ratio: value / yardstick }),
      });
    }
  }
  return figures;
}
