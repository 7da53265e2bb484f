/**
 * Distributes emails to worker threads that analyse them, in turns for networks and clients and within each
 * client's DNS budget, and replaces workers that end, hang or have read many emails.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { createFairQueue } from '../../domain/fairness/fair-queue.ts';
import { networksOf } from '../../domain/fairness/networks.ts';
import type { AnalyzeMail } from '../../ports/mail.ts';
import { type Lane, startLane } from './lane.ts';
import { createOccupancy, type Occupancy } from './occupancy.ts';
import {
  createPendingMail,
  createSuspects,
  type LaneKind,
  type PendingMail,
  WAIT_MS,
} from './pending-mail.ts';
import type { Defect, FromWorker, WorkerSetup } from './protocol.ts';

/**
 * Number of emails that a worker reads before it is replaced, so that its memory, including strings from old
 * emails, is freed. A new worker has compiled the code that it uses most only after about 2,000 emails.
 */
const MAILS_A_WORKER = 20_000;

/**
 * Time until an idle worker ends, in milliseconds, so that a machine with few emails gets its memory back.
 */
const IDLE_MS = 5 * 60_000;

/**
 * Longest wait for the client's budget, in milliseconds. Emails that end give back what they did not use.
 */
const BUDGET_WAIT_MS = 2000;

/** A worker that shows no sign of life for this long, in milliseconds, is considered hung. */
const STUCK_MS = 10_000;

export interface MailWorkersOptions {
  /** The entry module of the workers. */
  readonly workerUrl: URL;
  readonly setup: WorkerSetup;
  /** Counts the new names that all workers look up. */
  readonly newNames: Int32Array<SharedArrayBuffer>;
  /** Number of workers for emails that are not large. One more worker reads the large ones. */
  readonly threads: number;
  /** Returns milliseconds since 1970, by the log's clock. */
  readonly clock: () => number;
  /**
   * Reserves the DNS queries that an email may need if its client may cause that many, and later takes back
   * the rest.
   */
  readonly budget?: {
    reserve(mail: Pick<PendingMail['mail'], 'client' | 'testId'>): boolean;
    giveBack(mail: Pick<PendingMail['mail'], 'client' | 'testId'>, used: number): void;
  };
  /** Called with the durations of an email's queries that had the same outcome, for metrics. */
  readonly onQueries?: (outcome: string, milliseconds: readonly number[]) => void;
  /**
   * Called if a bug in a worker breaks a part of the analysis, so that this part is missing from one report.
   */
  readonly onDefect?: (defect: Defect) => void;
  /** Called for each email that a filter was asked about. */
  readonly onFilter?: (asked: Extract<FromWorker, { kind: 'filter' }>) => void;
  /** Called when a worker has ended unexpectedly, or hung. */
  readonly onLost?: (mails: number) => void;
  readonly stuckMs?: number;
  readonly waitMs?: number;
  readonly budgetWaitMs?: number;
  readonly mailsAWorker?: number;
  readonly idleMs?: number;
}

interface Slot {
  readonly kind: LaneKind;
  readonly mails: Map<number, PendingMail>;
  readonly occupancy: Occupancy;
  readonly lane: Lane;
  posted: number;
  idle?: NodeJS.Timeout;
}

/** Returns the widest network of an email's client, against which the email counts. */
const networkOf = ([widest = '']: PendingMail['path']): string => widest;

/** Without a budget, only the resolver's own limit applies to an email. */
const NO_BUDGET = { reserve: () => true, giveBack: () => {} };

/**
 * Analyses emails in worker threads: several at once in each, and large ones one at a time in a separate
 * worker. If an email makes its worker end, the other emails that the worker had taken are lost with it, and
 * their senders try again. The email itself is read once more, alone. If that makes a worker end again, its
 * analysis has failed.
 */
export function createMailWorkers(options: MailWorkersOptions) {
  const { workerUrl, setup, threads, clock, budget = NO_BUDGET, stuckMs = STUCK_MS } = options;
  const { mailsAWorker = MAILS_A_WORKER, newNames } = options;
  const { budgetWaitMs = BUDGET_WAIT_MS, idleMs = IDLE_MS } = options;
  const inFlight = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  /**
   * Queues of waiting emails, one per kind of worker. In each, networks and clients take turns; large emails
   * count by their bytes.
   */
  const queues = {
    small: createFairQueue<PendingMail>(),
    large: createFairQueue<PendingMail>(({ mail }) => mail.bytes.length),
    quarantine: createFairQueue<PendingMail>(),
  };
  const suspects = createSuspects();
  const slots = new Set<Slot>();
  let isClosing = false;

  function start(kind: LaneKind): Slot {
    const mails = new Map<number, PendingMail>();
    const lane = startLane({
      ...{ workerUrl, setup, inFlight, newNames, stuckMs },
      onMessage: (message) => onMessage(slot, message),
      onExit: (seen) => onExit(slot, seen),
    });
    const slot: Slot = { kind, mails, occupancy: createOccupancy(kind), lane, posted: 0 };
    slots.add(slot);
    rest(slot);
    return slot;
  }

  /** Returns a worker that has room for another email, or a new worker if more are allowed. */
  function findSlot(kind: LaneKind): Slot | undefined {
    const own = [...slots].filter((slot) => slot.kind === kind && slot.posted < mailsAWorker);
    const free = own
      .filter(({ occupancy }) => !occupancy.isFull())
      .sort((one, other) => one.occupancy.size() - other.occupancy.size())[0];
    const most = kind === 'small' ? threads : 1;
    return free && (free.mails.size === 0 || own.length >= most)
      ? free
      : own.length < most
        ? start(kind)
        : undefined;
  }

  function dispatch(): void {
    if (isClosing) return;
    const spent: PendingMail[] = [];
    const mayGo = (pending: PendingMail) => {
      const fits = budget.reserve(pending.mail);
      if (!fits && pending.hasWaited) spent.push(pending);
      return fits;
    };
    for (const kind of ['quarantine', 'small', 'large'] as const)
      while (queues[kind].size() > 0) {
        const slot = findSlot(kind);
        if (!slot) break;
        const pending = queues[kind].take(mayGo, slot.occupancy.admits);
        if (!pending) break;
        post(slot, pending);
      }
    for (const pending of spent) giveUp(pending);
  }

  function giveUp(pending: PendingMail): void {
    if (queues[pending.kind].remove(pending)) pending.onUnread();
  }

  function post(slot: Slot, pending: PendingMail): void {
    const { mail, path } = pending;
    pending.leave = slot.occupancy.enter(networkOf(path), dispatch);
    slot.posted += 1;
    const number = slot.posted;
    slot.mails.set(number, pending);
    slot.lane.hold(true);
    clearTimeout(slot.idle);
    pending.send = (message) => slot.lane.post({ ...message, number });
    const { bytes: _, ...about } = mail;
    slot.lane.post({
      ...{ kind: 'open', number, mail: about, bytes: pending.toBytes(slot.kind) },
      now: clock(),
    });
  }

  function onMessage(slot: Slot, message: FromWorker): void {
    if (message.kind === 'defect') options.onDefect?.(message.defect);
    if (message.kind === 'filter') options.onFilter?.(message);
    if (!('number' in message)) return;
    const pending = slot.mails.get(message.number);
    if (!pending) return;
    if (message.kind === 'gate') pending.onGate(message.gate);
    if (message.kind === 'reported') pending.onReport(message.report);
    if (message.kind === 'failed') pending.onFailed(message.overloaded);
    if (message.kind !== 'ended') return;
    slot.mails.delete(message.number);
    pending.onEnded();
    pending.leave?.();
    const queries = Object.entries(message.queries);
    budget.giveBack(
      pending.mail,
      queries.reduce((sum, [, { length }]) => sum + length, 0),
    );
    for (const [outcome, times] of queries) options.onQueries?.(outcome, times);
    if (slot.mails.size === 0) rest(slot);
    dispatch();
  }

  /**
   * Called when a worker has no work left. The worker ends immediately if it has read its share of emails or
   * a single suspect, and otherwise after a while.
   */
  function rest(slot: Slot): void {
    slot.lane.hold(false);
    if (slot.posted >= (slot.kind === 'quarantine' ? 1 : mailsAWorker)) end(slot);
    else slot.idle = setTimeout(end, idleMs, slot).unref();
  }

  function end(slot: Slot): void {
    slots.delete(slot);
    void slot.lane.stop();
  }

  function onExit(slot: Slot, { suspect, taken }: { suspect: number; taken: number }): void {
    slots.delete(slot);
    const mails = [...slot.mails];
    slot.mails.clear();
    if (mails.length === 0 || isClosing) return;
    options.onLost?.(mails.length);
    for (const [number, pending] of mails) {
      pending.leave?.();
      const isSuspect = number === suspect;
      if (isSuspect) suspects.add(pending.mail.digest);
      if (slot.kind === 'quarantine') pending.onLost('again');
      else if (number > taken && pending.retake()) {
        budget.giveBack(pending.mail, 0);
        queues[pending.kind].push(pending.path, pending);
      } else pending.onLost('once');
    }
    dispatch();
  }

  const analyze: AnalyzeMail = async (mail) => {
    const isSuspect = suspects.has(mail.digest);
    const pending = createPendingMail(mail, {
      path: [...networksOf(mail.client.ip), mail.testId],
      isSuspect,
      onWithdrawn: () => queues[pending.kind].remove(pending),
    });
    queues[pending.kind].push(pending.path, pending);
    const onWaited = () => {
      pending.hasWaited = true;
      dispatch();
    };
    const waitMs = options.waitMs ?? WAIT_MS[pending.kind];
    const timers = [setTimeout(onWaited, budgetWaitMs), setTimeout(giveUp, waitMs, pending)];
    dispatch();
    try {
      return await pending.gated;
    } finally {
      timers.forEach(clearTimeout);
    }
  };

  if (threads > 0) start('small');
  return {
    analyze,
    /** Waits for the emails that are being read, and then stops all workers. */
    async close(): Promise<void> {
      while ([...slots].some(({ mails }) => mails.size > 0)) await sleep(20);
      isClosing = true;
      await Promise.all([...slots].map(({ lane }) => lane.stop()));
    },
  };
}

export type MailWorkers = ReturnType<typeof createMailWorkers>;
