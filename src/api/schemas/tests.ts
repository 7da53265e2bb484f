import { type Static, Type } from '@sinclair/typebox';
import { Instant } from '../../domain/envelope.ts';
import { FailureCode, RefusalCode } from '../../domain/events.ts';
import { TestId } from '../../domain/ids.ts';
import { words } from '../../domain/report/shapes.ts';

const o = Type.Optional;

const instant = (description: string, example = '2026-11-20T10:00:00.000Z') =>
  Type.String({ ...Instant, description, examples: [example] });

const createdAt = instant('When the test was created.');
const sendBefore = instant('Until when the mail may arrive.', '2026-11-20T11:00:00.000Z');
const expiresAt = instant(
  'When the test is deleted; it moves once, when the mail arrives.',
  '2026-11-21T10:00:00.000Z',
);

export const Status = words(
  'waiting',
  'processing',
  'ready',
  'rejected_or_not_received',
  'analysis_failed',
);

const url = (description: string, path: string) =>
  Type.String({ description, examples: [`https://mailtest.example${path}`] });

/** The answer to the creation of a test. */
export const CreatedTest = Type.Object(
  {
    test_id: TestId,
    address: Type.String({
      description: 'Send one real mail to this address.',
      examples: ['abcdefgh2345@mailtest.example'],
    }),
    read_token: Type.String({
      description: 'Secret that opens the report, as `X-Read-Token`. Shown once: keep it.',
      examples: ['3q2-7wABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijk'],
    }),
    status: Type.Literal('waiting', {
      description: 'The state of a new test.',
      examples: ['waiting'],
    }),
    created_at: createdAt,
    send_before: sendBefore,
    expires_at: expiresAt,
    status_url: url('Poll this.', '/v1/tests/abcdefgh2345/status'),
    report_url: url('Read the report here.', '/v1/report?test_id=abcdefgh2345'),
  },
  { $id: 'CreatedTest', description: 'A new test.' },
);
export type CreatedTest = Static<typeof CreatedTest>;

const reason = (code: Parameters<typeof words> | readonly string[], example: string) =>
  Type.Object(
    {
      code: Type.Unsafe<string>({
        ...words(...(code as readonly string[])),
        description: 'The reason, for programs.',
        examples: [code[0]],
      }),
      detail: Type.String({ description: 'The reason, for people.', examples: [example] }),
    },
    { description: 'One reason.' },
  );

/** Why a test may be without a mail when nothing was seen of one. */
export const POSSIBLE_REASONS = {
  not_sent: 'The mail was not sent, or it still waits in the queue of the sending server.',
  wrong_address: 'The mail went to another address: compare it with the one of this test.',
  not_delivered:
    'The sending server could not reach ours: look for a bounce or a delay in its log.',
  refused_before_us:
    'A mail server before this service refused it: it fails both SPF and DKIM, fails its DMARC policy, or its IP is on a blocklist.',
} as const;

/** What is said of an analysis that gave no report. */
export const FAILURES = {
  worker_lost: 'The analysis of this mail ended early. Create another test and send it again.',
  report_too_large: 'The report on this mail would be too large. Send a smaller mail.',
  analysis_defect: 'The analysis failed by a fault of ours. Create another test.',
  analysis_timeout: 'The analysis was lost three times. Create another test and send it again.',
} as const;

const Refusal = Type.Object(
  {
    refused_at: o(instant('When the first mail was refused.', '2026-11-20T10:01:00.000Z')),
    reasons: o(
      Type.Array(
        reason(
          RefusalCode.anyOf.map((word) => word.const),
          'SPF and DKIM both failed.',
        ),
        {
          description: 'Why the newest mail was refused.',
          examples: [[{ code: 'spf_and_dkim_failed', detail: 'SPF and DKIM both failed.' }]],
        },
      ),
    ),
    send_again_before: o(
      instant(
        'While `waiting`: mend the cause and send again until then; a mail that passes is analysed.',
        '2026-11-20T10:16:00.000Z',
      ),
    ),
    reasons_possible: o(
      Type.Array(reason(Object.keys(POSSIBLE_REASONS), POSSIBLE_REASONS.not_sent), {
        description: 'When no mail was seen: what may have happened.',
        examples: [[{ code: 'not_sent', detail: POSSIBLE_REASONS.not_sent }]],
      }),
    ),
  },
  {
    description: 'Why there is no report, free of charge.',
    examples: [
      {
        refused_at: '2026-11-20T10:01:00.000Z',
        reasons: [{ code: 'spf_and_dkim_failed', detail: 'SPF and DKIM both failed.' }],
      },
    ],
  },
);

const Failure = Type.Object(
  {
    code: Type.Unsafe<keyof typeof FAILURES>({
      ...words(...FailureCode.anyOf.map((word) => word.const), 'analysis_timeout'),
      description: 'What went wrong, for programs.',
      examples: ['worker_lost'],
    }),
    detail: Type.String({
      description: 'What went wrong and what to do.',
      examples: [FAILURES.worker_lost],
    }),
  },
  {
    description: 'In `analysis_failed`: why.',
    examples: [{ code: 'worker_lost', detail: FAILURES.worker_lost }],
  },
);

/** Where a test stands. */
export const TestStatus = Type.Object(
  {
    test_id: TestId,
    status: Type.Unsafe<Static<typeof Status>>({
      ...Status,
      description:
        '`waiting` for the mail, `processing` it, `ready` to be read; `rejected_or_not_received` and `analysis_failed` are final and without a report.',
      examples: ['ready'],
    }),
    created_at: createdAt,
    send_before: sendBefore,
    expires_at: expiresAt,
    poll_after_seconds: Type.Integer({
      description: 'Seconds to wait before asking again; 0: nothing more will come.',
      minimum: 0,
      examples: [0],
    }),
    received_at: o(instant('When the mail arrived.', '2026-11-20T10:01:00.000Z')),
    pay_before: o(
      instant(
        'In `ready`: from then on an unpaid report answers 404; a paid one until `expires_at`.',
        '2026-11-21T09:58:00.000Z',
      ),
    ),
    refusal: o(Refusal),
    failure: o(Failure),
  },
  {
    $id: 'TestStatus',
    description: 'Where a test stands.',
    examples: [
      {
        test_id: 'abcdefgh2345',
        status: 'ready',
        created_at: '2026-11-20T10:00:00.000Z',
        send_before: '2026-11-20T11:00:00.000Z',
        expires_at: '2026-11-21T10:01:00.000Z',
        poll_after_seconds: 0,
        received_at: '2026-11-20T10:01:00.000Z',
        pay_before: '2026-11-21T09:58:00.000Z',
      },
    ],
  },
);
export type TestStatus = Static<typeof TestStatus>;
