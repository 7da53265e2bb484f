/**
 * Declares the response schemas of the routes that create a test and show its status, with the reasons why a
 * test has no email or no report.
 */

import { type Static, Type } from '@sinclair/typebox';
import { RefusalCode } from '../../domain/events.ts';
import { TestId } from '../../domain/ids.ts';
import {
  instant,
  list,
  object,
  openWords,
  optional,
  text,
  uri,
  words,
} from '../../domain/report/shapes.ts';
import { TEST_STATUSES } from '../../domain/status-view.ts';

const createdAt = instant('When the test was created.', '2026-11-20T10:00:00.000Z');
const sendBefore = instant('Send the email before this time.', '2026-11-20T11:00:00.000Z');
const expiresAt = instant(
  'When the test is deleted. It moves when the email arrives.',
  '2026-11-21T10:00:00.000Z',
);

/** Schema of the response to the creation of a test. */
export const CreatedTest = Type.Object(
  {
    test_id: TestId,
    address: text('Send one real email to this address.', 'abcdefgh2345@mailtest.example', {
      format: 'email',
    }),
    read_token: text(
      'The secret to send as `X-Read-Token`. It is shown only here: keep it.',
      '3q2-7wABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijk',
    ),
    status: Type.Literal('waiting', {
      description: 'The status of a new test.',
      examples: ['waiting'],
    }),
    created_at: createdAt,
    send_before: sendBefore,
    expires_at: expiresAt,
    status_url: uri('Poll this URL.', 'https://mailtest.example/v1/tests/abcdefgh2345/status'),
    report_url: uri(
      'Read the report at this URL.',
      'https://mailtest.example/v1/report?test_id=abcdefgh2345',
    ),
    can_sell: Type.Optional(
      Type.Literal(false, {
        description: 'Reports cannot be sold at the moment. The test still runs.',
        examples: [false],
      }),
    ),
  },
  { $id: 'CreatedTest', description: 'A new test.' },
);
export type CreatedTest = Static<typeof CreatedTest>;

/** Possible reasons why a test has no email, if the service has seen none. */
export const POSSIBLE_REASONS = {
  not_sent:
    'The email was not sent, or it is still in the queue of your mail server. Check its log.',
  wrong_address: 'The email went to another address. Compare it with the address of this test.',
  not_delivered: 'Your mail server could not reach ours. Look for a bounce or a delay in its log.',
  refused_before_us:
    'A mail server in front of this service refused the email: it fails both SPF and DKIM, fails your DMARC policy, or comes from an IP address on a blocklist.',
} as const;

/** Reasons why an analysis produced no report, by code. */
export const FAILURES = {
  worker_lost:
    'The analysis of this email was interrupted. Create another test and send the email again.',
  report_too_large:
    'The report on this email would be too large. Create another test and send a smaller email.',
  analysis_defect: 'The analysis failed because of an error in this service. Create another test.',
  analysis_timeout:
    'The analysis of this email was interrupted three times. Create another test and send the email again.',
} as const;

const Reason = object(
  'One reason.',
  {
    code: openWords(
      [...RefusalCode.anyOf.map((word) => word.const), ...Object.keys(POSSIBLE_REASONS)],
      'New codes may be added.',
    ),
    detail: text('The reason, and what to do.', POSSIBLE_REASONS.not_sent),
    remedy: optional(
      text(
        'After a refusal: what to do, as in the SMTP reply.',
        'If 192.0.2.25 is yours, publish an SPF record that lists it, or sign with DKIM',
      ),
    ),
    record: optional(
      object('A DNS record to publish, where none exists. Add any other senders for the domain.', {
        name: text('Its full name.', 'example.com'),
        type: text('Its type.', 'TXT'),
        value: text('Its value.', 'v=spf1 ip4:192.0.2.25 ~all'),
      }),
    ),
  },
  'Reason',
);

const Refusal = object('Why there is no report.', {
  refused_at: optional(instant('When the first email was refused.')),
  reasons: optional(list(Reason, 'Why the newest email was refused.')),
  send_again_before: optional(
    instant(
      'In `waiting`: fix the cause and send again before this time.',
      '2026-11-20T10:16:00.000Z',
    ),
  ),
  reasons_possible: optional(list(Reason, 'If no email was seen: what may have happened.')),
});

const Failure = object('In `analysis_failed`: why.', {
  code: openWords(Object.keys(FAILURES), 'New codes may be added.'),
  detail: text('What went wrong, and what to do.', FAILURES.worker_lost),
});

/** Schema of the status of a test. */
export const TestStatus = Type.Object(
  {
    test_id: TestId,
    status: words(
      TEST_STATUSES,
      '`waiting`: no email yet. `processing`: the email is being analysed. `ready`: the report can be read. `rejected_or_not_received` and `analysis_failed`: final, no report.',
      'ready',
    ),
    created_at: createdAt,
    send_before: sendBefore,
    expires_at: expiresAt,
    poll_after_seconds: Type.Integer({
      description: 'Seconds to wait before you poll again. 0: the status is final.',
      minimum: 0,
      examples: [0],
    }),
    received_at: optional(instant('When the email arrived.')),
    pay_before: optional(
      instant(
        'In `ready`: pay before this time. From then on an unpaid report can no longer be bought (409 `sale_closed`); a paid one can be read until `expires_at`.',
        '2026-11-21T10:00:30.000Z',
      ),
    ),
    refusal: optional(Refusal),
    failure: optional(Failure),
  },
  { $id: 'TestStatus', description: 'The current status of a test.' },
);
export type TestStatus = Static<typeof TestStatus>;

const { pay_before: _, ...freeMembers } = TestStatus.properties;

/** Schema of the status of a test if reports are free. */
export const FreeTestStatus = Type.Object(freeMembers, {
  $id: 'TestStatus',
  description: 'The current status of a test.',
});
