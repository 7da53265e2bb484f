import { assign, setup } from 'xstate';
import {
  type FailureCode,
  MAX_ATTEMPTS,
  MAX_REFUSALS,
  type RefusalReason,
  type TestEvent,
} from '../src/domain/events.ts';

/** What the events of one test leave behind. Instants are RFC 3339 and compare as text. */
export interface Context {
  /** Last event's instant: none that follows is earlier. */
  readonly at: string;
  readonly createdAt: string;
  readonly sendBefore: string;
  /** Deletion of the test as long as no mail arrived. */
  readonly expiresAt: string;
  readonly tokenSha256: string;
  /** Analyses started so far. */
  readonly attempts: number;
  readonly receivedAt: string | null;
  /** Digest of the mail in analysis or analysed. */
  readonly digest: string | null;
  readonly refusal: {
    readonly firstAt: string;
    readonly count: number;
    readonly reasons: readonly RefusalReason[];
  } | null;
  readonly reportSeq: number | null;
  readonly failure: FailureCode | 'analysis_timeout' | null;
}

const unborn: Context = {
  at: '',
  createdAt: '',
  sendBefore: '',
  expiresAt: '',
  tokenSha256: '',
  attempts: 0,
  receivedAt: null,
  digest: null,
  refusal: null,
  reportSeq: null,
  failure: null,
};

const { createMachine } = setup({
  types: { context: {} as Context, events: {} as TestEvent },
  guards: {
    inWindow: ({ context, event }) => event.at < context.sendBefore,
    mayRefuseAgain: ({ context }) => (context.refusal?.count ?? 0) < MAX_REFUSALS,
    sameAttempt: ({ context, event }) =>
      'attempt' in event.data && event.data.attempt === context.attempts,
    lastAttempt: ({ context, event }) =>
      'attempt' in event.data &&
      event.data.attempt === context.attempts &&
      context.attempts >= MAX_ATTEMPTS,
  },
});

/**
 * The life of one delivery test: which event may follow which, and what each leaves behind.
 *
 * Folded from the log, so it holds no timer, no invoke, no clock and no effect: time and results
 * enter as events, and an event that does not fit the state changes nothing. When a timer event
 * is due is the timekeeper's business; here it only fits or does not.
 */
export const deliveryTest = createMachine({
  id: 'deliveryTest',
  context: unborn,
  initial: 'unknown',
  states: {
    unknown: {
      on: {
        TestCreated: {
          target: 'waiting',
          actions: assign(({ event }) => ({
            at: event.at,
            createdAt: event.at,
            sendBefore: event.data.send_before,
            expiresAt: event.data.expires_at,
            tokenSha256: event.data.token_sha256,
          })),
        },
      },
    },
    waiting: {
      initial: 'open',
      on: {
        MailArrived: {
          guard: 'inWindow',
          target: 'processing',
          actions: assign(({ event }) => ({
            at: event.at,
            attempts: event.data.attempt,
            receivedAt: event.at,
            digest: event.data.digest,
            refusal: null,
          })),
        },
        MailRefused: {
          guard: 'mayRefuseAgain',
          target: '.refused',
          // The newest reasons help the sender; the deadline is the first refusal's.
          actions: assign(({ context, event }) => ({
            at: event.at,
            refusal: {
              firstAt: context.refusal?.firstAt ?? event.at,
              count: (context.refusal?.count ?? 0) + 1,
              reasons: event.data.reasons,
            },
          })),
        },
        Expired: { target: 'expired', actions: assign(({ event }) => ({ at: event.at })) },
      },
      states: {
        open: {
          on: {
            WindowClosed: {
              target: '#deliveryTest.rejected_or_not_received',
              actions: assign(({ event }) => ({ at: event.at })),
            },
          },
        },
        refused: {
          on: {
            RefusalTimeout: {
              target: '#deliveryTest.rejected_or_not_received',
              actions: assign(({ event }) => ({ at: event.at })),
            },
          },
        },
      },
    },
    processing: {
      on: {
        AnalysisDone: {
          guard: 'sameAttempt',
          target: 'ready',
          actions: assign(({ event }) => ({ at: event.at, reportSeq: event.data.report_seq })),
        },
        AnalysisFailed: {
          guard: 'sameAttempt',
          target: 'analysis_failed',
          actions: assign(({ event }) => ({ at: event.at, failure: event.data.reason })),
        },
        AnalysisTimeout: [
          {
            guard: 'lastAttempt',
            target: 'analysis_failed',
            actions: assign(({ event }) => ({
              at: event.at,
              failure: 'analysis_timeout' as const,
            })),
          },
          {
            // The sender was not told 250 and sends again.
            guard: 'sameAttempt',
            target: 'waiting',
            actions: assign(({ event }) => ({ at: event.at, receivedAt: null, digest: null })),
          },
        ],
        Expired: { target: 'expired', actions: assign(({ event }) => ({ at: event.at })) },
      },
    },
    ready: {
      on: { Expired: { target: 'expired', actions: assign(({ event }) => ({ at: event.at })) } },
    },
    analysis_failed: {
      on: { Expired: { target: 'expired', actions: assign(({ event }) => ({ at: event.at })) } },
    },
    rejected_or_not_received: {
      on: { Expired: { target: 'expired', actions: assign(({ event }) => ({ at: event.at })) } },
    },
    expired: { type: 'final' },
  },
});
