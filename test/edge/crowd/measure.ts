/**
 * Plays a crowd of attackers beside honest clients, and returns how the service to those clients and the cost
 * of the attack differ from the expectations of the crowd's row.
 */

import { quantile } from '../../lab/bench/statistics.ts';
import { seconds } from '../row.ts';
import { type CreatedTest, type Crowd, pause, SCALE } from './crowd.ts';
import type { Target } from './target.ts';

/**
 * Duration of an attack, in seconds, and the pause between two honest clients, in milliseconds. More clients
 * would exceed their budget.
 */
const ATTACK_SECONDS = seconds ?? 1.5;
const HONEST_MS = 250;

/** Honest calls of the API per second. */
const CALLS = 20;

/** Longest wait for what must happen once the attack has begun, or ended, in milliseconds. */
const SOON_MS = 60_000;

async function until(isSo: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + SOON_MS;
  while (!(await isSo())) {
    if (performance.now() > end) return false;
    await pause(200);
  }
  return true;
}

/** Sends one honest email, once, and returns the result. */
async function sendMail(
  target: Target,
  text: string | undefined,
  expected: string | undefined,
  ip?: string,
) {
  const test = await target.create();
  const waiting = target.wait(test);
  const { code, milliseconds } = await target.deliver(test.address, text, ip);
  const { granted, status } = code === 250 ? await waiting : { granted: true, status: 'ready' };
  void waiting.catch(() => undefined);
  const isOther =
    expected !== undefined && code === 250 && (await target.report(test)) !== expected;
  return { code, milliseconds, isOther, waited: granted && status !== 'waiting' };
}

/** Creates a test, and returns a result like that of a sender. */
async function visit(target: Target): Promise<Honest> {
  const { status } = await target.post();
  const code = status === 201 ? 250 : status;
  return { code, milliseconds: 0, isOther: false, waited: true };
}

type Honest = Awaited<ReturnType<typeof sendMail>>;

/** Runs honest clients one after another, with calls of the API in the meantime. */
async function watch(target: Target, crowd: Crowd, expected: string | undefined) {
  const honest: Honest[] = [];
  const times: number[] = [];
  const end = performance.now() + ATTACK_SECONDS * 1000;
  const polled = await target.create().catch(() => undefined);
  const calling = (async () => {
    while (polled && performance.now() < end) {
      times.push(await target.call(polled));
      await pause(1000 / CALLS);
    }
  })();
  // At least one honest client is played, because a share of none proves nothing.
  while (crowd.honest !== 'nobody' && (honest.length === 0 || performance.now() < end)) {
    const next = pause(HONEST_MS);
    honest.push(
      crowd.honest === 'visitors'
        ? await visit(target)
        : await sendMail(target, crowd.text, expected),
    );
    await next;
  }
  await calling;
  return { honest, times };
}

/**
 * Number of honest senders per size beside a crowd, each in a network of its own, and the fewest emails that
 * they send together, unless that takes more than this many times as long as the attack.
 */
const SENDERS = 4;
const ATTEMPTS = 100;
const MAX_TIMES = 4;

/**
 * Sends emails of each size until the attack is over and each size was tried often enough, because a share of
 * few says little.
 */
async function watchSizes(target: Target, sizes: readonly number[]) {
  const begin = performance.now();
  const end = begin + ATTACK_SECONDS * 1000;
  const last = begin + MAX_TIMES * ATTACK_SECONDS * 1000;
  const bySize = sizes.map((size) => ({ size, honest: [] as Honest[] }));
  const isOver = () =>
    performance.now() > last ||
    (performance.now() > end && bySize.every(({ honest }) => honest.length >= ATTEMPTS));
  const send = async ({ size, honest }: (typeof bySize)[number], ip: string) => {
    const text = `${'five million bytes. '.repeat(3)}\n`.repeat(Math.ceil(size / 61));
    while (!isOver()) {
      const next = pause(HONEST_MS);
      honest.push(await sendMail(target, text, undefined, ip));
      await next;
    }
  };
  await Promise.all(
    bySize.flatMap((one, n) =>
      Array.from({ length: SENDERS }, (_, k) => send(one, `172.20.${(n * SENDERS + k) * 8}.7`)),
    ),
  );
  return bySize;
}

/** Waits until everyone is served again, including those from before the attack. */
async function isWellAfter(target: Target, early: readonly CreatedTest[], sells: boolean) {
  return until(async () => {
    const tests = sells ? early : await Promise.all(early.map(() => target.create()));
    const sent = await Promise.all(tests.map(({ address }) => target.deliver(address)));
    const paid = sells ? await Promise.all(tests.map((test) => target.pay(test))) : [200];
    return sent.every(({ code }) => code === 250) && paid.every((status) => status === 200);
  }).catch(() => false);
}

/** Plays an attack beside honest clients, and returns what differs from its row, or nothing. */
export async function faultsOf(crowd: Crowd, target: Target): Promise<readonly string[]> {
  const { input, budget = {}, expected } = crowd;
  const { dns, place, attackers } = target;
  const early = await Promise.all(Array.from({ length: 3 }, () => target.create()));
  const [first] = early;
  if (expected.reportsAsEver && first) await target.deliver(first.address);
  const asEver = expected.reportsAsEver && first ? await target.report(first) : undefined;
  const before = { memory: target.memory(), queries: await dns.call('count') };
  await target.longestPause();
  for (const domain of input.silent ?? []) await dns.call('silence', domain);
  await dns.call('setDelay', input.delayMs ?? 0);

  await attackers.call('start', { name: crowd.name, place });
  const counted = (least: readonly (readonly [name: string, count: number])[]) =>
    until(async () => {
      const counts = await attackers.call('counts');
      return least.every(([name, count]) => (counts[name] ?? 0) >= count);
    });
  await pause((input.leadMs ?? 0) * SCALE);
  if (input.height) await counted([[input.height, 1]]);
  const [{ honest, times }, bySize] = await Promise.all([
    watch(target, crowd, asEver),
    watchSizes(target, crowd.sizes ?? []),
  ]);
  await counted(Object.entries(expected.counts ?? {}).map(([name, [least]]) => [name, least]));
  const mib = target.memory() - before.memory;
  const pauseMs = await target.longestPause();
  const counts = await attackers.call('stop');
  await dns.call('setDelay', 0);
  const { under = '', most = Number.POSITIVE_INFINITY, distinct = false } = budget.queries ?? {};
  const names = (await dns.call('queriesSince', before.queries))
    .filter(({ name }) => name.endsWith(under))
    .map(({ name, type }) => `${type} ${name}`);
  const queries = distinct ? new Set(names).size : names.length;

  const begin = performance.now();
  const isWell = await isWellAfter(target, early, crowd.service === 'sells');
  const recoveryMs = Math.round(performance.now() - begin);

  const served = honest.filter(({ code }) => code === 250).length;
  const others = honest.filter(({ code }) => code !== 250 && code !== expected.orElse);
  const isQuick = (value: number, limit = Number.POSITIVE_INFINITY) =>
    seconds === undefined || value <= limit;
  const minutes = Math.ceil(ATTACK_SECONDS / 60) + 1;
  const rules: Record<string, boolean> = {
    [`${served} of ${honest.length} served`]: served >= honest.length * expected.served,
    [`honest ones were answered ${others.map(({ code }) => code)}`]:
      expected.orElse === undefined || others.length === 0,
    'an honest one waited for nothing': honest.every(({ waited }) => waited),
    'a report is not as ever': honest.every(({ isOther }) => !isOther),
    [`${mib} MiB more`]: mib <= (budget.mib ?? Number.POSITIVE_INFINITY),
    [`${queries} queries`]: queries <= most * (distinct ? minutes : 1),
    [`p99 ${quantile(times, 0.99)} ms`]: isQuick(quantile(times, 0.99), budget.p99Ms),
    [`worst ${Math.max(0, ...times)} ms`]: isQuick(Math.max(0, ...times), budget.worstMs),
    [`an email took ${Math.max(...honest.map(({ milliseconds }) => milliseconds))} ms`]:
      honest.every(({ milliseconds }) => isQuick(milliseconds, budget.mailMs)),
    [`a pause of ${pauseMs} ms`]: isQuick(pauseMs, budget.pauseMs),
    'not all are served a minute after': isWell,
    [`all are served again after ${recoveryMs} ms`]: isQuick(recoveryMs, budget.recoveryMs),
  };
  if (crowd.sizes && seconds !== undefined)
    process.stderr.write(
      `${crowd.name}: ${before.memory} MiB, ${mib} more, recovery ${recoveryMs} ms\n`,
    );
  for (const { size, honest: sent } of bySize) {
    const whole = sent.filter(({ code }) => code === 250);
    const codes = sent.filter(({ code }) => code !== 250).map(({ code }) => code);
    const worst = Math.round(Math.max(...sent.map(({ milliseconds }) => milliseconds)));
    const what = `${whole.length} of ${sent.length} of ${size / 1024} KiB served`;
    if (seconds !== undefined)
      process.stderr.write(`${crowd.name}: ${what}, worst ${worst} ms, else ${codes}\n`);
    rules[what] = whole.length >= sent.length * expected.served;
  }
  for (const [name, [from, to]] of Object.entries(expected.counts ?? {})) {
    const count = counts[name] ?? 0;
    rules[`${name}: ${count}`] = count >= from && count <= to;
  }
  for (const [name, most] of Object.entries(expected.perMinute ?? {}))
    rules[`${name} by the minute: ${counts[name]}`] = (counts[name] ?? 0) <= most * minutes;
  const all = JSON.stringify(counts);
  return Object.entries(rules).flatMap(([what, holds]) => (holds ? [] : [`${what} (${all})`]));
}
