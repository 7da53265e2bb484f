/**
 * Tracks an email in the main thread from the end of its data to the end of its analysis, and remembers
 * emails whose worker ended while it read them.
 */

import { Overloaded } from '../../domain/overloaded.ts';
import { setNewest } from '../../domain/set-newest.ts';
import { WorkerLost } from '../../domain/worker-lost.ts';
import type {
  AnalyzedMail,
  ArrivalTimes,
  FinishedReport,
  GateVerdict,
  MailToAnalyze,
} from '../../ports/mail.ts';

/**
 * Size in bytes from which an email counts as large: a worker needs ten times as long for it as for most
 * emails.
 */
const LARGE_BYTES = 1024 * 1024;

/**
 * The worker that reads an email: one of many, the one for large emails, or a worker that reads nothing else.
 */
export type LaneKind = 'small' | 'large' | 'quarantine';

/** Longest wait for a worker, in milliseconds. Large emails occupy a worker for longer. */
export const WAIT_MS: Readonly<Record<LaneKind, number>> = {
  small: 15_000,
  large: 45_000,
  quarantine: 15_000,
};

/** Number of workers that may end before they take a given email. */
const MAX_RETAKES = 3;

/** The gate's verdict on an email about which nothing is known: it is accepted, and its analysis fails. */
const UNKNOWN_GATE: GateVerdict = { reasons: [], headerFromDomain: null, resolverDown: false };

type Order = { readonly kind: 'report'; readonly arrival: ArrivalTimes } | { readonly kind: 'end' };

interface Options {
  /** The networks that the email's client belongs to, the widest first. */
  readonly path: readonly string[];
  readonly isSuspect: boolean;
  /** Called if the sender has disconnected before a worker took the email. */
  readonly onWithdrawn: () => void;
}

/** Creates the main thread's view of one email, between its end of data and the end of its analysis. */
export function createPendingMail(mail: MailToAnalyze, { path, isSuspect, onWithdrawn }: Options) {
  const isLarge = mail.bytes.length >= LARGE_BYTES;
  const kind: LaneKind = isSuspect ? 'quarantine' : isLarge ? 'large' : 'small';
  const gate = Promise.withResolvers<AnalyzedMail>();
  const report = Promise.withResolvers<FinishedReport | 'lost'>();
  // If nobody requests the report, its failure must not become an unhandled rejection.
  report.promise.catch(() => {});
  let shared: Uint8Array<SharedArrayBuffer> | undefined;
  let isEnded = false;
  let retakes = 0;

  const analyzed = (verdict: GateVerdict): AnalyzedMail => ({
    gate: verdict,
    report(arrival) {
      pending.send?.({ kind: 'report', arrival });
      return report.promise;
    },
    end,
  });

  function end(): void {
    if (isEnded) return;
    isEnded = true;
    if (pending.send) pending.send({ kind: 'end' });
    else onWithdrawn();
    shared?.fill(0);
    if (!mail.bytes.buffer.detached) mail.bytes.fill(0);
  }

  function fail(error: Error): void {
    gate.reject(error);
    report.reject(error);
    end();
  }

  const pending = {
    mail,
    kind,
    path,
    /** True if the email has waited long enough for its client's budget. */
    hasWaited: false,
    gated: gate.promise,
    /** Sends an order to the worker that has the email. */
    send: undefined as ((order: Order) => void) | undefined,
    /** Called when a worker has finished with the email. */
    leave: undefined as (() => void) | undefined,
    /**
     * Returns the bytes as they are handed over. A large email's bytes are moved to an idle worker. Other
     * emails wait in shared memory until they are taken, so that a worker that hangs cannot lose them.
     */
    toBytes(lane: LaneKind): Uint8Array {
      if (shared) return shared;
      if (lane === 'large' || isLarge) return mail.bytes;
      shared = new Uint8Array(new SharedArrayBuffer(mail.bytes.length));
      shared.set(mail.bytes);
      mail.bytes.fill(0);
      return shared;
    },
    /**
     * Returns whether another worker can read the email: its bytes were not taken, and not too many workers
     * have ended before they took it.
     */
    retake(): boolean {
      pending.send = undefined;
      retakes += 1;
      return shared !== undefined && !isEnded && retakes <= MAX_RETAKES;
    },
    onGate: (verdict: GateVerdict) => gate.resolve(analyzed(verdict)),
    onReport: (made: FinishedReport | 'lost') => report.resolve(made),
    onFailed: (overloaded: boolean) =>
      fail(overloaded ? new Overloaded() : new Error('a worker hit a defect')),
    /**
     * Called when the worker has finished with the email and has overwritten its bytes, so that it needs no
     * further order.
     */
    onEnded(): void {
      isEnded = true;
    },
    /** Called if no worker was free in time. */
    onUnread: () => fail(new Overloaded()),
    /**
     * Called when the worker that read the email has ended or hung. `again` means that the email was read
     * alone, so that the email itself is at fault.
     */
    onLost(how: 'once' | 'again'): void {
      pending.send = undefined;
      if (how === 'once') fail(new WorkerLost());
      report.resolve('lost');
      gate.resolve(analyzed(UNKNOWN_GATE));
    },
  };
  return pending;
}

export type PendingMail = ReturnType<typeof createPendingMail>;

/** How long an email that ended a worker is remembered, in milliseconds: its sender will try again. */
const SUSPECT_MS = 60 * 60 * 1000;

/** Number of digests that are remembered. The oldest is forgotten first. */
const MAX_SUSPECTS = 1000;

/** Remembers the digests of emails that a worker was reading when it ended. */
export function createSuspects() {
  const until = new Map<string, number>();
  return {
    add(digest: string): void {
      setNewest(until, digest, performance.now() + SUSPECT_MS, MAX_SUSPECTS);
    },
    has: (digest: string): boolean => (until.get(digest) ?? 0) > performance.now(),
  };
}
