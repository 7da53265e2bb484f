import { type Static, Type } from '@sinclair/typebox';
import { event, historyRestored, Instant, Sha256 } from './envelope.ts';
import { guard } from './guard.ts';
import { Grade, Report } from './report/report.ts';
import { words } from './report/shapes.ts';

/** Analyses a mail may start: two may be lost with their process, the third loss is final. */
export const MAX_ATTEMPTS = 3;

/** Refusals a test records; a further one is answered without an event, so nobody fills the log. */
export const MAX_REFUSALS = 16;

/** Who may take mail in for us, as settings, events and the member of a report name them. */
export const PROVIDERS = ['cloudflare'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

const attempt = Type.Integer({ minimum: 1, maximum: MAX_ATTEMPTS });
/** A domain, an address literal, or empty for the null sender; never a local part. */
const Domain = Type.String({ maxLength: 255, pattern: '^[^@\\s]*$' });

/** A test was asked for. The token itself is known to the caller alone. */
const TestCreated = event('TestCreated', {
  token_sha256: Sha256,
  send_before: Instant,
  expires_at: Instant,
});

/** The gate took a mail. Facts about it only: the mail itself stays in the receiver's memory. */
const MailArrived = event('MailArrived', {
  attempt,
  size_bytes: Type.Integer({ minimum: 1 }),
  /** HMAC-SHA-256 of the raw bytes: recognises the sender's retry, says nothing of the content. */
  digest: Sha256,
  source: words(['smtp', ...PROVIDERS], 'The door by which it came.'),
  ip: Type.Union([Type.String({ maxLength: 45 }), Type.Null()]),
  helo: Type.Union([Type.String({ maxLength: 255, pattern: '^[^@\\s]*$' }), Type.Null()]),
  tls: Type.Union([Type.Literal('tls'), Type.Literal('plaintext'), Type.Literal('not_observable')]),
  envelope_domain: Domain,
  header_from_domain: Type.Union([Domain, Type.Null()]),
});

/** Why the gate refused, in the order in which a reply names them. */
export const RefusalCode = Type.Union([
  Type.Literal('blocklisted'),
  Type.Literal('spf_and_dkim_failed'),
  Type.Literal('dmarc_policy'),
]);
export type RefusalCode = Static<typeof RefusalCode>;

const short = Type.String({ maxLength: 300 });

/** One reason with what helps the sender to fix it: results, domains, the list's name. */
export const RefusalReason = Type.Object({
  code: RefusalCode,
  /** A sentence for the sender, without a local part. */
  detail: Type.String({ maxLength: 1000 }),
  evidence: Type.Object({
    ip: Type.Optional(short),
    spf_result: Type.Optional(short),
    spf_domain: Type.Optional(short),
    /** Why the record cannot be evaluated. */
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
    /** Where the DMARC record is, and the tag of it that applies, such as `sp=reject`. */
    record_domain: Type.Optional(short),
    tag: Type.Optional(short),
    /** What passed would be aligned, did the record not ask for the very same name. */
    strict: Type.Optional(Type.Boolean()),
    list: Type.Optional(short),
    removal_url: Type.Optional(short),
  }),
});
export type RefusalReason = Static<typeof RefusalReason>;

/** The gate turned a mail away with a 5xx reply. */
const MailRefused = event('MailRefused', {
  reasons: Type.Array(RefusalReason, { minItems: 1, maxItems: 3 }),
});

/** The report is written; `report_seq` is the stream sequence of its `ReportWritten`. */
const AnalysisDone = event('AnalysisDone', {
  attempt,
  report_seq: Type.Integer({ minimum: 1 }),
  report_sha256: Sha256,
  score: Type.Integer({ minimum: 0, maximum: 100 }),
  grade: Grade,
  duration_ms: Type.Integer({ minimum: 0 }),
});

/** Why an analysis ended without a report: a code, nothing of the mail. */
const FailureCode = Type.Union([
  Type.Literal('worker_lost'),
  Type.Literal('report_too_large'),
  Type.Literal('analysis_defect'),
]);

const AnalysisFailed = event('AnalysisFailed', { attempt, reason: FailureCode });

/** A deadline passed. `at` is the deadline, `fired_at` when it was noticed. */
const AnalysisTimeout = event('AnalysisTimeout', { attempt, fired_at: Instant });
const RefusalTimeout = event('RefusalTimeout', { fired_at: Instant });
const WindowClosed = event('WindowClosed', { fired_at: Instant });
const Expired = event('Expired', { fired_at: Instant });

/** The holder of the read token asked for it. Nothing of the test is in it. */
const TestDeleted = event('TestDeleted', {});

/** What can happen to a delivery test. */
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

/** The messages on `tests.<test_id>`: what happened, or a damaged history that was repaired. */
const TestEvent = Type.Union([OriginalTestEvent, historyRestored(OriginalTestEvent)]);
export type TestEvent = Static<typeof TestEvent>;

/** The event of one type. */
export type TestEventOf<Name extends TestEvent['type']> = Extract<TestEvent, { type: Name }>;

/** What ends a test: all else of it is erased, and this stays, so that its id is not given again. */
export const isEnd = (type: string | undefined): type is 'Expired' | 'TestDeleted' =>
  type === 'Expired' || type === 'TestDeleted';

/** The whole report, on `reports.<test_id>`: followers of states never read it. */
export const ReportWritten = event('ReportWritten', {
  report: Report,
  /** A second copy of its test's `TestCreated`: read, and not written any more. */
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

// Asked on append and on read. Pure: the command carries a part of the schema and not its compiler.
export const isTestEvent = /* @__PURE__ */ guard(TestEvent);
export const isReportWritten = /* @__PURE__ */ guard(ReportWritten);
