import { createFairQueue } from '../../domain/fairness/fair-queue.ts';
import type { LaneKind, PendingMail } from './pending-mail.ts';

/** Mails that wait for a worker, each kind in turn by network and client. */
export function createMailQueue() {
  const queues = {
    small: createFairQueue<PendingMail>(),
    large: createFairQueue<PendingMail>(),
    quarantine: createFairQueue<PendingMail>(),
  };
  return {
    has: (kind: LaneKind): boolean => queues[kind].size() > 0,
    push: (mail: PendingMail, kind: LaneKind): void => queues[kind].push(mail.path, mail),
    /** The next in turn that may go now. */
    take: (
      kind: LaneKind,
      mayGo: (mail: PendingMail) => boolean,
      isAdmitted: (network: string) => boolean,
    ): PendingMail | undefined => queues[kind].take(mayGo, isAdmitted),
    /** false: it was not waiting. */
    remove: (mail: PendingMail): boolean => queues[mail.kind].remove(mail),
  };
}
