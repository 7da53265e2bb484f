/** Declares the settings of the HTTP API and its dependencies. */

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

/** Requests per minute and client; 0 means no limit. */
export interface RateLimits {
  readonly create: number;
  /** Counts only wrong tokens, per test. */
  readonly wrongToken: number;
  /** Counts only ids that no replica knows. */
  readonly unknownId: number;
  readonly default: number;
}

export interface ApiSettings {
  /** Asked for each response, because without a setting it is the bound address. Has no slash at the end. */
  readonly baseUrl: () => string;
  readonly mailDomain: string;
  readonly replicaId: string;
  /** Contact address for the service; null if there is none. */
  readonly contactEmail: string | null;
  /** A command that sends an email to `{address}`, shown on the page of a test; null if none is known. */
  readonly sendCommand: string | null;
  /** Addresses or CIDRs of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustProxy: readonly string[];
  readonly rateLimits: RateLimits;
  readonly durations: Durations & {
    readonly receiveWindowSeconds: number;
    readonly retentionSeconds: number;
  };
  /** True if each email is sent to the operator's spam filters. */
  readonly asksFilters?: boolean;
  /** Null if reports are free. Nothing then mentions a price. */
  readonly payment: PaymentSettings | null;
}

/** The endpoint through which an inbound provider delivers email. */
export interface InboundOptions {
  readonly receive: Inbound['receive'];
  /** Its name in the path. */
  readonly provider: string;
  /** The secret that the provider's side sends. */
  readonly token: string;
  readonly maxMessageBytes: number;
}

/** The dependencies of the HTTP API. */
export interface ApiOptions {
  readonly settings: ApiSettings;
  readonly tests: Pick<EventLog<TestEvent>, 'append'>;
  readonly rows: Pick<TestRows, 'has' | 'onRow' | 'peek' | 'find' | 'refresh' | 'isBehind'>;
  /** Calls the listener after each event of a test, with its sequence number, once `rows` knows it. */
  readonly onChange: (listener: (testId: string, seq: number) => void) => void;
  readonly settler: Settler;
  readonly sampleReport: Report;
  /** Reserves room in the log for the tests that exist. */
  readonly creation: {
    /**
     * Admits one creation. Otherwise, returns why not, and the number of seconds after which one may be
     * possible again.
     */
    admit(ip: string): { readonly because: 'room' | 'rate'; readonly retryAfter: number } | null;
    /** Returns the share that is neither used nor needed, from 0 to 1. */
    room(): number;
  };
  /** Returns whether reports can be sold now. Being ready does not depend on it. */
  readonly selling?: () => { readonly can_sell: boolean; readonly reason?: string };
  /**
   * Returns a wallet's balance of the asset, in atomic units. Absent if nothing is sold. Rejects if the chain
   * does not respond.
   */
  readonly balanceOf?: (address: string) => Promise<bigint>;
  /** Returns the conditions, by name, that must be met before this replica may receive work. */
  readonly readiness: () => Readonly<Record<string, boolean>>;
  /** Without it, the endpoint does not exist. */
  readonly inbound?: readonly InboundOptions[];
  /** Maximum number of open connections. If absent, there is no limit. */
  readonly maxConnections?: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Without it, nothing is counted. */
  readonly metrics?: Pick<Metrics, 'countAnswer' | 'countPoll' | 'watchRoute'>;
  readonly traces?: Traces;
}
