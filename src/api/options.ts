import type { TestEvent } from '../domain/events.ts';
import type { PaymentSettings } from '../domain/payment-terms.ts';
import type { Report } from '../domain/report/report.ts';
import type { Clock, Random } from '../ports/ambient.ts';
import type { EventLog, TestRows } from '../ports/log.ts';
import type { Inbound } from '../ports/mail.ts';
import type { Settler } from '../ports/payment.ts';
import type { Traces } from '../ports/traces.ts';
import type { Durations } from '../projection/deadlines.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** Requests a minute and client; 0: no limit. */
export interface RateLimits {
  readonly create: number;
  /** Wrong tokens only, for each test. */
  readonly wrongToken: number;
  /** Ids that no replica knows. */
  readonly unknownId: number;
  readonly default: number;
}

export interface ApiSettings {
  /** Asked for each answer: without a setting it is the bound address. No slash at the end. */
  readonly baseUrl: () => string;
  readonly mailDomain: string;
  readonly replicaId: string;
  /** Whom to write to about the service; null: nobody is named. */
  readonly contactEmail: string | null;
  /** Sends a mail to `{address}`, for a page of a test to show; null: none is known. */
  readonly sendCommand: string | null;
  /** Addresses or CIDRs of proxies whose `X-Forwarded-For` is believed. */
  readonly trustProxy: readonly string[];
  readonly rateLimits: RateLimits;
  /** Whether the reserved test `samplereport` can be asked for. */
  readonly durations: Durations & {
    readonly receiveWindowSeconds: number;
    readonly retentionSeconds: number;
  };
  /** Spam filters of the operator are sent each email; missing: there are none. */
  readonly asksFilters?: boolean;
  /** null: reports are free, and nothing speaks of a price. */
  readonly payment: PaymentSettings | null;
}

/** The door for an inbound provider's mail. */
export interface InboundOptions {
  readonly receive: Inbound['receive'];
  /** It stands in the path. */
  readonly provider: string;
  /** A secret that the provider's side shows. */
  readonly token: string;
  readonly maxMessageBytes: number;
}

/** What the HTTP API needs from outside. */
export interface ApiOptions {
  readonly settings: ApiSettings;
  readonly tests: Pick<EventLog<TestEvent>, 'append'>;
  readonly rows: Pick<TestRows, 'has' | 'onRow' | 'peek' | 'find' | 'refresh' | 'isBehind'>;
  /** Calls back after each event of a test, with its sequence, once `rows` knows it. */
  readonly onChange: (listener: (testId: string, seq: number) => void) => void;
  readonly settler: Settler;
  readonly sampleReport: Report;
  /** Keeps room in the log for the tests that exist. */
  readonly creation: {
    /** Takes one creation; else why not, and the seconds after which one may be possible again. */
    admit(ip: string): { readonly because: 'room' | 'rate'; readonly retryAfter: number } | null;
    /** From 0 to 1: what is neither used nor needed. */
    room(): number;
  };
  /** Whether reports can be sold now; not a condition of being ready. */
  readonly selling?: () => { readonly can_sell: boolean; readonly reason?: string };
  /** What a wallet has of the asset, in atomic units; missing where nothing is sold. Rejects when the chain does not answer. */
  readonly balanceOf?: (address: string) => Promise<bigint>;
  /** What has to be true before this replica may be given work, by name. */
  readonly readiness: () => Readonly<Record<string, boolean>>;
  /** Without it the door is not there. */
  readonly inbound?: readonly InboundOptions[];
  /** Open at a time. Without it they are not limited. */
  readonly maxConnections?: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Without it nothing is counted. */
  readonly metrics?: Pick<Metrics, 'countAnswer' | 'countPoll' | 'watchRoute'>;
  readonly traces?: Traces;
}
