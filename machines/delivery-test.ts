/**
 * Defines the state machine of one delivery test, from its creation to its end. The state is computed from
 * the events in the log.
 */

import { assertEvent, assign, setup } from 'xstate';

/**
 * Maximum number of analyses per test, and of refusals that a test records between two arrivals.
 * `domain/events.ts` has the same limits.
 */
const MAX_ATTEMPTS = 3;
const MAX_REFUSALS = 16;

/**
 * An event: when it happened (RFC 3339 in UTC with milliseconds), and the data that the machine reads or
 * keeps.
 */
interface Event<Type extends string, Data = object> {
  readonly type: Type;
  readonly at: string;
  readonly data: Data;
}

/** Why the gate refused an email. The machine keeps the refusal unchanged, and bases no decision on it. */
interface Refusal {
  code: 'blocklisted' | 'spf_and_dkim_failed' | 'dmarc_policy';
  detail: string;
  evidence: {
    ip?: string;
    spf_result?: string;
    spf_domain?: string;
    dkim?: { domain: string; selector: string; result: string; reason?: string }[];
    from_domain?: string;
    policy?: string;
    record_domain?: string;
    tag?: string;
    strict?: boolean;
    list?: string;
    removal_url?: string;
  };
}

type Failure = 'worker_lost' | 'report_too_large' | 'analysis_defect';

/**
 * Everything that can happen to a delivery test. A stored event has more members, which change nothing here.
 */
export type DeliveryTestEvent =
  | Event<'TestCreated', { token_sha256: string; send_before: string; expires_at: string }>
  | Event<'MailArrived', { attempt: number; digest: string }>
  | Event<'MailRefused', { reasons: readonly Refusal[] }>
  | Event<'AnalysisDone', { attempt: number; report_seq: number }>
  | Event<'AnalysisFailed', { attempt: number; reason: Failure }>
  | Event<'AnalysisTimeout', { attempt: number }>
  | Event<'RefusalTimeout' | 'WindowClosed' | 'Expired' | 'TestDeleted'>;

/**
 * The data that the machine keeps from the events of one test. Instants are RFC 3339 strings, and are
 * compared as text.
 */
export interface Context {
  /** Time of the last event. No later event has an earlier time. */
  readonly at: string;
  readonly createdAt: string;
  readonly sendBefore: string;
  /** When the test is deleted if no email arrives. */
  readonly expiresAt: string;
  readonly tokenSha256: string;
  /** Number of analyses started so far. */
  readonly attempts: number;
  readonly receivedAt: string | null;
  /** Digest of the email that is being analysed or was analysed. */
  readonly digest: string | null;
  readonly refusal: {
    readonly firstAt: string;
    readonly count: number;
    readonly reasons: readonly Refusal[];
  } | null;
  readonly reportSeq: number | null;
  readonly failure: Failure | 'analysis_timeout' | null;
}

const initial: Context = {
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
  types: { context: {} as Context, events: {} as DeliveryTestEvent },
  guards: {
    /** True if the email arrived before the end of the receive window. */
    inWindow: ({ context, event }) => event.at < context.sendBefore,
    /** True if fewer than 16 refusals have been recorded since the last email was accepted. */
    mayRefuseAgain: ({ context }) => (context.refusal?.count ?? 0) < MAX_REFUSALS,
    /** True if the event belongs to the analysis that is running now. */
    sameAttempt: ({ context, event }) =>
      'attempt' in event.data && event.data.attempt === context.attempts,
    /** True if the event belongs to the analysis that is running now, and no further analysis is allowed. */
    lastAttempt: ({ context, event }) =>
      'attempt' in event.data &&
      event.data.attempt === context.attempts &&
      context.attempts >= MAX_ATTEMPTS,
  },
  actions: {
    recordInstant: assign(({ event }) => ({ at: event.at })),
    recordCreation: assign(({ event }) => {
      assertEvent(event, 'TestCreated');
      const { send_before, expires_at, token_sha256 } = event.data;
      return {
        at: event.at,
        createdAt: event.at,
        sendBefore: send_before,
        expiresAt: expires_at,
        tokenSha256: token_sha256,
      };
    }),
    recordMail: assign(({ event }) => {
      assertEvent(event, 'MailArrived');
      const { attempt, digest } = event.data;
      return { at: event.at, attempts: attempt, receivedAt: event.at, digest, refusal: null };
    }),
    // Only the newest reasons are kept, because they help the sender most. The deadline remains that of the
    // first refusal.
    recordRefusal: assign(({ context, event }) => {
      assertEvent(event, 'MailRefused');
      return {
        at: event.at,
        refusal: {
          firstAt: context.refusal?.firstAt ?? event.at,
          count: (context.refusal?.count ?? 0) + 1,
          reasons: event.data.reasons,
        },
      };
    }),
    recordReport: assign(({ event }) => {
      assertEvent(event, 'AnalysisDone');
      return { at: event.at, reportSeq: event.data.report_seq };
    }),
    recordFailure: assign(({ event }) => {
      assertEvent(event, 'AnalysisFailed');
      return { at: event.at, failure: event.data.reason };
    }),
    recordTimeout: assign(({ event }) => ({
      at: event.at,
      failure: 'analysis_timeout' as const,
    })),
    // The sender did not get a 250 reply, and will send the email again.
    forgetMail: assign(({ event }) => ({ at: event.at, receivedAt: null, digest: null })),
  },
});

const onEnd = { target: '#deliveryTest.expired', actions: 'recordInstant' } as const;
const ends = { Expired: onEnd, TestDeleted: onEnd };

/**
 * The life of one delivery test: which event may follow which, and which data the machine keeps from each.
 *
 * Its state is folded from the log, so it contains no timer, no invoke, no clock and no effect. Time and
 * results arrive as events, and an event that the current state does not expect changes nothing. The
 * timekeeper decides when a timer event is due; the machine only says whether the event is expected.
 */
export const deliveryTest = createMachine({
  id: 'deliveryTest',
  description: 'One test: one address, one email, one report.',
  context: initial,
  initial: 'unknown',
  states: {
    unknown: {
      description: 'No test with this id was created.',
      on: {
        TestCreated: { target: 'waiting', actions: 'recordCreation' },
      },
    },
    waiting: {
      description: 'The address accepts an email until the window closes.',
      initial: 'open',
      on: {
        MailArrived: {
          guard: 'inWindow',
          target: 'processing',
          actions: 'recordMail',
        },
        MailRefused: {
          guard: 'mayRefuseAgain',
          target: '.refused',
          actions: 'recordRefusal',
        },
        ...ends,
      },
      states: {
        open: {
          description: 'No email has been refused since the last attempt.',
          on: {
            WindowClosed: {
              target: '#deliveryTest.rejected_or_not_received',
              actions: 'recordInstant',
            },
          },
        },
        refused: {
          description: 'An email was refused; the sender can fix the cause and send again.',
          on: {
            RefusalTimeout: {
              target: '#deliveryTest.rejected_or_not_received',
              actions: 'recordInstant',
            },
          },
        },
      },
    },
    processing: {
      description: 'An email passed the gate and is being analysed, at most three times.',
      on: {
        AnalysisDone: {
          guard: 'sameAttempt',
          target: 'ready',
          actions: 'recordReport',
        },
        AnalysisFailed: {
          guard: 'sameAttempt',
          target: 'analysis_failed',
          actions: 'recordFailure',
        },
        AnalysisTimeout: [
          {
            guard: 'lastAttempt',
            target: 'analysis_failed',
            actions: 'recordTimeout',
          },
          {
            guard: 'sameAttempt',
            target: 'waiting',
            actions: 'forgetMail',
          },
        ],
        ...ends,
      },
    },
    ready: {
      description: 'The report can be paid for and read.',
      on: ends,
    },
    analysis_failed: {
      description: 'The analysis ended without a report.',
      on: ends,
    },
    rejected_or_not_received: {
      description: 'No email arrived in time, or none that passed the gate.',
      on: ends,
    },
    expired: {
      description:
        'The test was deleted, at its deadline or by its holder. Only this final state is kept, so that the id is not used again.',
      type: 'final',
    },
  },
});
