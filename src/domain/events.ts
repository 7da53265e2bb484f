/**
 * Declares the events that the log stores about a delivery test, from its creation to its end, including the
 * reasons for refusals and the event that contains the report.
 */

import { type Static, Type } from '@sinclair/typebox';
import { event, historyRestored, Instant, Sha256 } from './envelope.ts';
import { guard } from './guard.ts';
import { Grade, Report } from './report/report.ts';
import { words } from './report/shapes.ts';

/**
 * Maximum number of analyses of a test. Two analyses may be lost when their process ends; a third loss is
 * final.
 */
export const MAX_ATTEMPTS = 3;

/**
 * Maximum number of refusals that a test records between two arrivals. Further refusals get their SMTP reply
 * without an event, so that nobody can fill the log.
 */
export const MAX_REFUSALS = 16;

/** Inbound providers by the names that settings, events and reports use. */
export const PROVIDERS = ['cloudflare'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

const attempt = Type.Integer({ minimum: 1, maximum: MAX_ATTEMPTS });
/** A domain or an address literal; empty for the null sender. Never contains a local part. */
const Domain = Type.String({ maxLength: 255, pattern: '^[^@\\s]*$' });

/** Records that a test was requested. Only the caller knows the read token; the event contains its hash. */
const TestCreated = event('TestCreated', {
  token_sha256: Sha256,
  send_before: Instant,
  expires_at: Instant,
});

/**
 * Records that the gate, which decides about incoming email, accepted one. The event contains only facts
 * about the email, which itself stays in the receiver's memory.
 */
const MailArrived = event('MailArrived', {
  attempt,
  size_bytes: Type.Integer({ minimum: 1 }),
  /**
   * HMAC-SHA-256 of the raw bytes. It identifies a retry by the sender and reveals nothing about the content.
   */
  digest: Sha256,
  source: words(['smtp', ...PROVIDERS], 'How the email arrived.'),
  ip: Type.Union([Type.String({ maxLength: 45 }), Type.Null()]),
  helo: Type.Union([Type.String({ maxLength: 255, pattern: '^[^@\\s]*$' }), Type.Null()]),
  tls: Type.Union([Type.Literal('tls'), Type.Literal('plaintext'), Type.Literal('not_observable')]),
  envelope_domain: Domain,
  header_from_domain: Type.Union([Domain, Type.Null()]),
});

/** Reasons why the gate refuses an email, in the order in which an SMTP reply names them. */
export const RefusalCode = Type.Union([
  Type.Literal('blocklisted'),
  Type.Literal('spf_and_dkim_failed'),
  Type.Literal('dmarc_policy'),
]);
export type RefusalCode = Static<typeof RefusalCode>;

const short = Type.String({ maxLength: 300 });

/**
 * One reason for a refusal, with facts that help the sender to fix it, such as results, domains and the name
 * of a blocklist.
 */
export const RefusalReason = Type.Object({
  code: RefusalCode,
  /** A sentence for the sender that contains no local part. */
  detail: Type.String({ maxLength: 1000 }),
  evidence: Type.Object({
    ip: Type.Optional(short),
    spf_result: Type.Optional(short),
    spf_domain: Type.Optional(short),
    /** Why the SPF record cannot be evaluated. */
    spf_fault: Type.Optional(short),
    dkim: Type.Optional(
      Type.Array(
        Type.Object({
          domain: short,
          selector: short,
          result: short,
          reason: Type.Optional(short),
        }),
        { maxItems: 10 },
      ),
    ),
    from_domain: Type.Optional(short),
    policy: Type.Optional(short),
    /** The domain of the DMARC record. `tag` is the tag of the record that applies, such as `sp=reject`. */
    record_domain: Type.Optional(short),
    tag: Type.Optional(short),
    /**
     * True if the identifier that passed is unaligned only because the DMARC record requires an exact match.
     */
    strict: Type.Optional(Type.Boolean()),
    list: Type.Optional(short),
    removal_url: Type.Optional(short),
  }),
});
export type RefusalReason = Static<typeof RefusalReason>;

/** Records that the gate rejected an email with a 5xx reply. */
const MailRefused = event('MailRefused', {
  reasons: Type.Array(RefusalReason, { minItems: 1, maxItems: 3 }),
});

/**
 * Records that the report was written. `report_seq` is the stream sequence number of the matching
 * `ReportWritten` event.
 */
const AnalysisDone = event('AnalysisDone', {
  attempt,
  report_seq: Type.Integer({ minimum: 1 }),
  report_sha256: Sha256,
  score: Type.Integer({ minimum: 0, maximum: 100 }),
  grade: Grade,
  duration_ms: Type.Integer({ minimum: 0 }),
});

/** Codes for why an analysis ended without a report. They say nothing about the email. */
const FailureCode = Type.Union([
  Type.Literal('worker_lost'),
  Type.Literal('report_too_large'),
  Type.Literal('analysis_defect'),
]);

const AnalysisFailed = event('AnalysisFailed', { attempt, reason: FailureCode });

/** Records that a deadline passed. `at` is the deadline, and `fired_at` is when it was noticed. */
const AnalysisTimeout = event('AnalysisTimeout', { attempt, fired_at: Instant });
const RefusalTimeout = event('RefusalTimeout', { fired_at: Instant });
const WindowClosed = event('WindowClosed', { fired_at: Instant });
const Expired = event('Expired', { fired_at: Instant });

/**
 * Records that someone with the read token requested the deletion. The event contains nothing about the test.
 */
const TestDeleted = event('TestDeleted', {});

/** Every event that a delivery test can have. */
export const OriginalTestEvent = Type.Union([
  TestCreated,
  MailArrived,
  MailRefused,
  AnalysisDone,
  AnalysisFailed,
  AnalysisTimeout,
  RefusalTimeout,
  WindowClosed,
  Expired,
  TestDeleted,
]);
export type OriginalTestEvent = Static<typeof OriginalTestEvent>;

/** The messages on `tests.<test_id>`: original events, or a damaged history that was repaired. */
const TestEvent = Type.Union([OriginalTestEvent, historyRestored(OriginalTestEvent)]);
export type TestEvent = Static<typeof TestEvent>;

/** The test event whose type is `Name`. */
export type TestEventOf<Name extends TestEvent['type']> = Extract<TestEvent, { type: Name }>;

/**
 * Returns whether an event ends a test. All other events of the test are erased, but this one stays, so that
 * the id is not used again.
 */
export const isEnd = (type: string | undefined): type is 'Expired' | 'TestDeleted' =>
  type === 'Expired' || type === 'TestDeleted';

/**
 * The event on `reports.<test_id>` that contains the whole report. Followers of test states never read it.
 */
export const ReportWritten = event('ReportWritten', {
  report: Report,
  /** A second copy of the test's `TestCreated` data. It is still read, but no longer written. */
  created: Type.Optional(
    Type.Object({
      at: Instant,
      token_sha256: Sha256,
      send_before: Instant,
      expires_at: Instant,
    }),
  ),
});
export type ReportWritten = Static<typeof ReportWritten>;

// These guards run on append and on read. They are marked as pure, because the bundled command includes a
// part of the schema but not its compiler.
export const isTestEvent = /* @__PURE__ */ guard(TestEvent);
export const isReportWritten = /* @__PURE__ */ guard(ReportWritten);
