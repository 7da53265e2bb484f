import type {
  ArcFacts,
  ContentFacts,
  Facts,
  GateFacts,
  HeaderFacts,
  LinkFacts,
  Looked,
} from './analysis/facts.ts';
import type { DkimSignatureHeader } from './analysis/mail/dkim-headers.ts';
import type { ReadContext } from './analysis/mail/read-context.ts';
import type { PaymentEventOf } from './domain/payment-events.ts';
import type { MailVerdict } from './domain/replies.ts';
import type { DkimReason, DkimResult, SpfResult } from './domain/report/authentication.ts';
import type { Cloudflare } from './domain/report/connection.ts';
import type { Report } from './domain/report.ts';
import type { Authorization, Hex, PaymentRequirements, SettlementResponse } from './domain/x402.ts';
import type { Row, TestStatus } from './projection/row.ts';

/** What the service needs from outside. Interfaces only: who fills them is `main.ts`'s business. */

/** Milliseconds since 1970. Handed in, so that tests move it by hand. */
export type Clock = () => number;

/** That many bytes from a CSPRNG. */
export type Random = (bytes: number) => Uint8Array;

/**
 * How an append ended. `lost`: another event came first, `seq` is its place; decide again.
 * `full`: the log takes no more for this subject or at all. `unknown`: the deadline passed without
 * an answer, the event may be stored or not.
 */
export type Appended =
  | { readonly outcome: 'appended' | 'lost'; readonly seq: number }
  | { readonly outcome: 'full' | 'unknown' };

/** An event with its place. `seq` is the sequence of the stream, not of the subject. */
export interface Recorded<E> {
  readonly id: string;
  readonly seq: number;
  /** When the log stored it, in milliseconds since 1970. */
  readonly time: number;
  readonly event: E;
}

/** A message that is no event: not JSON, a schema it does not fit, an unknown version. */
export interface Poison {
  readonly id: string;
  readonly seq: number;
}

export interface FollowOptions<E> {
  /** Where to begin; without it, at the first message. */
  readonly from?: { readonly time: number } | { readonly seq: number };
  /** Called in order, one after another, once each. If it throws, the event counts as poison. */
  readonly onEvent: (recorded: Recorded<E>) => void;
  readonly onPoison?: (poison: Poison) => void;
}

export interface Following {
  /** Resolves when everything that was in the log at the beginning has been delivered. */
  readonly ready: Promise<void>;
  /** Events stored and not yet delivered, as last known. */
  lag(): number;
  stop(): Promise<void>;
}

/**
 * One log of one kind of event, a subject for each id: on JetStream in `adapters/nats/`, in memory
 * in the tests. Both pass `test/contracts/event-log.ts`.
 */
export interface EventLog<E> {
  /**
   * Appends one event if the last one of its subject is at `expectedSeq`; 0: the subject is empty.
   *
   * @param deadlineMs milliseconds after which the answer is `unknown`; 20,000 unless told
   * @throws only for a defect or a misconfiguration. An outage is `unknown`.
   */
  append(id: string, event: E, expectedSeq: number, deadlineMs?: number): Promise<Appended>;

  /**
   * All events of one subject in order, read at the leader. Poison is left out.
   *
   * @throws ServiceError `log_unavailable`
   */
  read(id: string): Promise<readonly Recorded<E>[]>;

  /**
   * The event at one sequence, read at the leader; `undefined` when it is gone.
   *
   * @throws ServiceError `log_unavailable`
   */
  readAt(seq: number): Promise<Recorded<E> | undefined>;

  /** Delivers what is stored and what will be, across restarts of the server. */
  follow(options: FollowOptions<E>): Following;

  /**
   * Removes one message; an absent one counts as done. `secure` overwrites its bytes on disk.
   *
   * @throws ServiceError `log_unavailable`
   */
  erase(seq: number, how: 'secure' | 'plain'): Promise<void>;
}

/** A value derived from a log, with the sequence it was folded up to. */
export interface Projected {
  readonly seq: number;
}

/** A rebuildable view, a value a key. Never replaced by an older one. */
export interface Projection<V extends Projected> {
  /** @throws ServiceError `log_unavailable` */
  get(key: string): Promise<V | undefined>;
  /** `skipped`: what is there is as new or newer. @throws ServiceError `log_unavailable` */
  put(key: string, value: V): Promise<'written' | 'skipped'>;
  /** Removes the value and its bytes; absent counts as done. */
  erase(key: string): Promise<void>;
  keys(): Promise<readonly string[]>;
}

/** Who owns a payer's authorization. */
export interface Claim {
  /** The payment's id: `payments.<id>`. */
  readonly id: string;
  readonly at: string;
  readonly by: string;
  /** Block from which the chain is searched for it. */
  readonly from_block: number;
}

/** One authorization, one report: created if absent, never changed. */
export interface Claims {
  /**
   * The owner after the attempt: ours, or whoever came first. Read at the leader.
   *
   * @throws ServiceError `log_unavailable`
   */
  claim(key: string, claim: Claim): Promise<Claim>;
  owner(key: string): Promise<Claim | undefined>;
}

/** Whether the log can be reached now. */
export interface LogHealth {
  connected(): boolean;
}

export type RecordType = 'A' | 'AAAA' | 'MX' | 'TXT' | 'PTR' | 'CNAME' | 'NS' | 'SPF';

/**
 * What the DNS said. `nxdomain`: no such name; `nodata`: the name has no such record; `failed`:
 * we do not know (`error`: `TIMEOUT`, `SERVFAIL`, `REFUSED`, `QUERY_LIMIT`, …).
 */
export type DnsAnswer<R> =
  | { readonly status: 'found'; readonly records: readonly R[]; readonly cnames: readonly string[] }
  | { readonly status: 'nxdomain' | 'nodata'; readonly cnames: readonly string[] }
  | { readonly status: 'failed'; readonly error: string };

export interface MxRecord {
  readonly preference: number;
  readonly exchange: string;
}

/** One question asked, for the trace of a report. */
export interface DnsQuestion {
  readonly name: string;
  readonly type: RecordType;
  readonly outcome: string;
  readonly milliseconds: number;
}

/**
 * The DNS as one mail sees it: every (name, type) is asked once and frozen. Never rejects: what
 * could not be learnt is `failed`.
 */
export interface Resolver {
  /** Each record as its strings, which stay apart. `SPF`: the obsolete type 99; TXT unless told. */
  txt(name: string, type?: 'TXT' | 'SPF'): Promise<DnsAnswer<readonly string[]>>;
  addresses(name: string, type: 'A' | 'AAAA'): Promise<DnsAnswer<string>>;
  mx(name: string): Promise<DnsAnswer<MxRecord>>;
  /** `name` is a host or a reverse name such as `25.2.0.192.in-addr.arpa`. */
  names(name: string, type: 'PTR' | 'CNAME' | 'NS'): Promise<DnsAnswer<string>>;
  /** By any type; the shape of a record follows from it. */
  ask(name: string, type: RecordType): Promise<DnsAnswer<unknown>>;
  readonly trace: readonly DnsQuestion[];
}

/** A fresh view for each mail; nothing is cached across mails, since senders mend and retry. */
export type NewResolver = () => Resolver;

/** How a guarded fetch ended. `ours`: our limit or network, a fact about nobody; `theirs`: a fault. */
export type Fetched =
  | {
      readonly status: 'fetched';
      readonly httpStatus: number;
      readonly contentType: string;
      readonly body: Uint8Array;
    }
  | { readonly status: 'failed'; readonly fault: 'ours' | 'theirs'; readonly reason: string };

/**
 * HTTPS GET of a URL published in the sender's DNS: public addresses only, capped, no redirects.
 * The host is looked up by the mail's own resolver.
 */
export type GuardedFetch = (
  url: string,
  limits: { readonly maxBytes: number; readonly resolver: Resolver },
) => Promise<Fetched>;

/** What a BIMI mark certificate says; `fault` is null when it is good for the logo and the name. */
export interface CertificateVerdict {
  readonly type: 'vmc' | 'cmc' | null;
  readonly issuer: string | null;
  readonly subjectNames: readonly string[];
  /** RFC 3339. */
  readonly notAfter: string | null;
  /** null: there is no logo to compare with. */
  readonly logoMatches: boolean | null;
  readonly fault: string | null;
}

/** Judges a mark certificate in a worker thread. `null`: not in time. Never rejects. */
export type CheckCertificate = (certificate: {
  readonly pem: Uint8Array;
  readonly svg: Uint8Array | null;
  readonly domain: string;
  readonly selector: string;
  /** RFC 3339: the arrival of the mail. */
  readonly at: string;
}) => Promise<CertificateVerdict | null>;

/** What a web-risk service says of a host: its threats, or `null` when it gave no answer. */
export interface WebRisk {
  readonly configured: boolean;
  look(
    hosts: readonly string[],
  ): Promise<
    Readonly<
      Record<
        string,
        { readonly threats: readonly string[]; readonly expiresAt: string | null } | null
      >
    >
  >;
}

/** The client as the SMTP session (or the provider's trace header) shows it. */
export interface ClientFacts {
  /** Canonical text form; null: not known. */
  readonly ip: string | null;
  readonly helo: string | null;
  readonly source: 'smtp' | 'xclient' | 'received-spf' | 'received' | 'unknown';
  readonly tls: {
    readonly status: 'tls' | 'plaintext' | 'not_observable';
    readonly version: string | null;
    readonly cipher: string | null;
  };
}

/** A signed payment, checked against its schema and against our terms. */
export interface SignedPayment {
  readonly requirements: PaymentRequirements;
  readonly signature: Hex;
  readonly authorization: Authorization;
  /** The client repeated our discovery extension: a facilitator may be told what is sold. */
  readonly echoed?: boolean;
}

/** A transaction of ours, durable before it is sent. */
export type SignedTx = Omit<PaymentEventOf<'TransactionSigned'>['data'], 'attempt'>;

/** Everything a settlement needs, from a fresh start or from the log. */
export interface SettlementJob {
  readonly payment: SignedPayment;
  /** What was signed in this attempt so far, oldest first. */
  readonly signed: readonly SignedTx[];
  /** Makes a transaction durable; rejects when it is not: then nothing may be sent. */
  recordSigned(tx: SignedTx): Promise<void>;
}

export type Verdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string; readonly message?: string };

/**
 * How settling ended. `refused`: definitive, and only when nothing was signed in this attempt;
 * `unknown`: the chain decides.
 */
export type Outcome =
  | { readonly kind: 'settled'; readonly receipt: SettlementResponse; readonly block?: number }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string; readonly transaction?: Hex };

/** Moves the money: by our own wallet, or by a remote facilitator. */
export interface Settlement {
  readonly mode: 'self' | 'facilitator';
  /** Rejects when nothing may be started now. */
  ready(): Promise<void>;
  /** Rejects for an upstream failure: nobody's fault, nothing started. */
  verify(payment: SignedPayment, deadline: Date): Promise<Verdict>;
  /** Never rejects. */
  settle(job: SettlementJob, deadline: Date): Promise<Outcome>;
  /** After a crash or an unknown outcome. Never rejects. */
  resume(job: SettlementJob, deadline: Date): Promise<Outcome>;
}

/** What the chain says of one authorization at one block. */
export type ChainOutcome =
  | { readonly state: 'open' | 'dead' | 'cancelled' }
  | { readonly state: 'settled'; readonly receipt: SettlementResponse; readonly block: number };

/** The chain as the judge of unknown outcomes; needed whoever settles. Rejects when it cannot tell. */
export interface PaymentChain {
  head(): Promise<{ readonly number: number; readonly timestamp: number }>;
  /** Number of the newest block that no reorganisation can undo. */
  finalized(): Promise<number>;
  outcome(payment: SignedPayment, fromBlock: number): Promise<ChainOutcome>;
}

/** One SPF evaluation (RFC 7208 §4). */
export interface SpfEvaluation {
  readonly result: SpfResult;
  /** Words of ours; never the library's text, which quotes the sender. */
  readonly error: string | null;
}

/** Evaluates SPF for one identity; an empty domain is the null sender. Never rejects. */
export type EvaluateSpf = (
  identity: {
    readonly ip: string;
    readonly helo: string;
    readonly localPart: string;
    readonly domain: string;
  },
  resolver: Resolver,
) => Promise<SpfEvaluation>;

/** What verifying one signature gave. `not_evaluated` and `malformed` come without the rest. */
export interface SignatureVerdict {
  readonly result: DkimResult;
  readonly reason: DkimReason | null;
  readonly bodyHash: 'match' | 'mismatch' | null;
  /** Of the key, when the verification came to it. */
  readonly keyBits: number | null;
  /** Bytes of the body behind `l=`. */
  readonly unsignedTailBytes: number;
}

/** The first part of a reading. */
export interface AuthenticationPart {
  /** One for each signature of the job, in its order. */
  readonly signatures: readonly SignatureVerdict[];
  readonly arc: Looked<ArcFacts>;
  /** The provider's own seal; null: there is none, or its key did not answer. */
  readonly sealVerified: boolean | null;
  /** A body line is too long to be hashed: nothing was verified. */
  readonly bodyLineTooLong: boolean;
}

/** The second part of a reading: what the mail holds. */
export interface ContentPart {
  readonly headers: HeaderFacts;
  readonly content: ContentFacts;
  readonly links: LinkFacts;
}

export interface MailJob {
  readonly context: ReadContext;
  /** Offset of the sender's own bytes, below a provider's header block. */
  readonly ownFrom: number;
  /** In the order of the mail; `evaluate`: the input limits allow it. */
  readonly signatures: readonly {
    readonly header: DkimSignatureHeader;
    readonly evaluate: boolean;
  }[];
  /** The mail has ARC sets within the limit (RFC 8617 §4.2.1). */
  readonly verifyArc: boolean;
}

/** A mail that is being read in a worker. `null`: the worker was lost before that part. */
export interface MailReading {
  /** A worker has taken the mail up; false: it was stopped or lost before. */
  readonly begun: Promise<boolean>;
  readonly authentication: Promise<AuthenticationPart | null>;
  readonly content: Promise<ContentPart | null>;
  /** Ends the worker if it still reads; the mail's bytes go with its memory. */
  stop(): void;
}

/** Reads a mail in a worker thread. The buffer is moved there and overwritten at the end. */
export type ReadInWorker = (
  mail: Uint8Array<ArrayBuffer>,
  job: MailJob,
  resolver: Resolver,
) => MailReading;

/** A provider's trace headers above the sender's own, read from the mail. */
export interface ProviderBlock {
  /** Length in bytes. */
  readonly bytes: number;
  readonly report: Omit<Cloudflare, 'seal_verified' | 'differs_from_ours'>;
  /** An ARC set of the provider's own is there, and it vouches for the whole chain below. */
  readonly sealed: boolean;
  /** Where it contradicts itself or the envelope, as lines of `partial_errors`. */
  readonly partialErrors: readonly string[];
}

/** Who sent the mail, as the transaction said. The local part stays in memory: SPF macros need it. */
export interface EnvelopeFrom {
  /** Empty for the null sender. */
  readonly localPart: string;
  readonly domain: string;
  readonly smtputf8: boolean;
}

/** The look-ups and the reading of one mail, from its RCPT on. Never rejects: see `Looked`. */
export interface Inspection {
  /**
   * Reads the mail in a worker. Takes the buffer over: it is zeroed there, or here at `end`.
   *
   * @throws when no worker was free within 15 s: nothing is known of the mail
   */
  gate(mail: Uint8Array<ArrayBuffer>, block?: ProviderBlock): Promise<GateFacts>;
  /**
   * Everything for the report, 25 s after a worker began at the latest; after `gate` only.
   * `lost`: the worker died before it gave any part.
   */
  facts(arrival: {
    readonly receivedAt: string;
    readonly expiresAt: string;
  }): Promise<Facts | 'lost'>;
  /** Stops what still runs and overwrites the mail's bytes. */
  end(): void;
}

/** Begins the look-ups that need only the connection and the envelope. */
export type Inspect = (about: {
  readonly testId: string;
  readonly mailDomain: string;
  readonly client: ClientFacts;
  readonly from: EnvelopeFrom;
}) => Inspection;

/** The tests as rows in memory, fed by the log. */
export interface TestRows {
  /** What this replica knows now; `undefined`: unknown, expired, or past its deletion. */
  peek(testId: string): Row | undefined;
  /**
   * As `peek`, and a miss reads the log at the leader: a fresh test never seems unknown.
   *
   * @throws ServiceError `log_unavailable`
   */
  find(testId: string): Promise<Row | undefined>;
  /** Reads the log at the leader even when a row is there: for decisions. @throws as `find` */
  refresh(testId: string): Promise<Row | undefined>;
  /** Everything that was stored before the start has been folded. */
  caughtUp(): boolean;
  /** Live tests by state, for the gauges. */
  population(): Readonly<Record<TestStatus, number>>;
}

/** A request for a report that passed everything but the question of money. */
export interface ReportRequest {
  readonly testId: string;
  /** In state `ready`, its token shown; `sample` for the reserved id, which needs neither. */
  readonly row: Row | 'sample';
  /** The value of `PAYMENT-SIGNATURE` as it came; `undefined` without one. */
  readonly paymentHeader: string | undefined;
}

/** A report that is paid for: earlier, or by this request. */
export interface PaidReport {
  readonly report: Report;
  /** The content of `PAYMENT-RESPONSE`. */
  readonly receipt: SettlementResponse;
}

/** Decides whether a report may be read, and takes the payment for it. */
export interface Settler {
  /**
   * @throws ServiceError with the headers and members of the answer: `payment_required`,
   * `payment_invalid` and `invalid_request` carry `payment-required`, a definitive failure
   * `payment-response` as well; `settlement_pending`, `facilitator_unavailable`, `log_unavailable`
   * and `rate_limited` carry `retry-after`; `test_not_found` within the closing margin.
   */
  read(request: ReportRequest): Promise<PaidReport>;
}

/** One mail on its way in, as its protocol states it before the content. */
export interface MailEnvelope {
  /** As given. `domain` is ASCII in lower case; empty: `<postmaster>` alone. */
  readonly to: { readonly localPart: string; readonly domain: string };
  readonly from: EnvelopeFrom;
  readonly client: ClientFacts;
  /** Size as the sender announces it; null: not announced. */
  readonly declaredBytes: number | null;
  readonly source: 'smtp' | 'cloudflare';
}

/** The content of a mail whose recipient was accepted. One of the two is called, once. */
export interface Reception {
  /**
   * Reads the content to its end and answers when the answer is durable. `null`: it broke off
   * before its end, nothing has happened and nobody is left to answer. Never rejects.
   *
   * @param block the provider's headers that the content begins with; what counts is below them
   */
  receive(content: AsyncIterable<Uint8Array>, block?: ProviderBlock): Promise<MailVerdict | null>;
  /** The content will not come: frees what was reserved and stops the look-ups. */
  abandon(): void;
}

/** Takes mails for tests. Knows no protocol: an adapter words its verdicts. */
export interface Receiver {
  /** The answer to the recipient: a place for the content, or why not. Never rejects. */
  accept(envelope: MailEnvelope): Promise<Reception | MailVerdict>;
}

/** One mail as an inbound provider hands it over. */
export interface InboundMail {
  /** Addresses as the provider states them; empty or `<>`: the null sender. */
  readonly from: string;
  readonly to: string;
  readonly declaredBytes: number | null;
  /** The provider's header block, then the sender's own bytes. A chunk is overwritten once used. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Takes mails that an inbound provider received for us. */
export interface Inbound {
  /** As `Reception`: the answer is durable; `null`: the content broke off. Never rejects. */
  receive(mail: InboundMail): Promise<MailVerdict | null>;
}
