/** Declares the settings and dependencies that the HTTP API receives from the service. */

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

/** Maximum number of requests per client per minute; 0 means no limit. */
export interface RateLimits {
  readonly create: number;
  /** Limit on requests with a wrong token, per test. */
  readonly wrongToken: number;
  /** Limit on requests for ids that no replica knows. */
  readonly unknownId: number;
  readonly default: number;
}

export interface ApiSettings {
  /**
   * Returns the service's public URL, without a slash at the end. It is called for each response, because
   * without a setting it is the address on which the server listens.
   */
  readonly baseUrl: () => string;
  readonly mailDomain: string;
  readonly replicaId: string;
  /** Contact address for the service; null if there is none. */
  readonly contactEmail: string | null;
  /**
   * A shell command that sends an email to `{address}`, which the page of a test shows; null if none is
   * known.
   */
  readonly sendCommand: string | null;
  /** IP addresses or CIDRs of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustProxy: readonly string[];
  readonly rateLimits: RateLimits;
  readonly durations: Durations & {
    readonly receiveWindowSeconds: number;
    readonly retentionSeconds: number;
  };
  /** True if each email is sent to the operator's spam filters. */
  readonly asksFilters?: boolean;
  /** The terms on which reports are sold. If null, reports are free and nothing mentions a price. */
  readonly payment: PaymentSettings | null;
}

/** The endpoint through which an inbound provider delivers email. */
export interface InboundOptions {
  readonly receive: Inbound['receive'];
  /** The provider's name in the path of the endpoint. */
  readonly provider: string;
  /** The secret that the provider sends with each request. */
  readonly token: string;
  readonly maxMessageBytes: number;
}

/** The dependencies of the HTTP API, with its settings. */
export interface ApiOptions {
  readonly settings: ApiSettings;
  readonly tests: Pick<EventLog<TestEvent>, 'append'>;
  readonly rows: Pick<TestRows, 'has' | 'onRow' | 'peek' | 'find' | 'refresh' | 'isBehind'>;
  /**
   * Registers a listener that is called after each event of a test, with its sequence number, once `rows`
   * knows the event.
   */
  readonly onChange: (listener: (testId: string, seq: number) => void) => void;
  readonly settler: Settler;
  readonly sampleReport: Report;
  /** Decides whether another test may be created, so that the log always has room for the existing ones. */
  readonly creation: {
    /**
     * Admits one creation and returns null. Otherwise, returns the reason, and the number of seconds after
     * which a creation may be possible again.
     */
    admit(ip: string): { readonly because: 'room' | 'rate'; readonly retryAfter: number } | null;
    /** Returns the share of the log that is neither used nor needed, from 0 to 1. */
    room(): number;
  };
  /**
   * Returns whether reports can be sold at the moment. The readiness of the replica does not depend on it.
   */
  readonly selling?: () => { readonly can_sell: boolean; readonly reason?: string };
  /** Returns the same for someone who may buy now. Absent if nothing is sold. */
  readonly canSell?: () => boolean;
  /**
   * Returns a wallet's balance of the asset, in atomic units. Absent if nothing is sold. Rejects if the chain
   * does not respond.
   */
  readonly balanceOf?: (address: string) => Promise<bigint>;
  /** Returns the conditions, by name, that must be met before this replica may receive work. */
  readonly readiness: () => Readonly<Record<string, boolean>>;
  /** Endpoints for inbound providers. If absent, there are none. */
  readonly inbound?: readonly InboundOptions[];
  /** Maximum number of open connections. If absent, there is no limit. */
  readonly maxConnections?: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Metrics of requests. If absent, requests are not counted. */
  readonly metrics?: Pick<Metrics, 'countAnswer' | 'countPoll' | 'watchRoute'>;
  readonly traces?: Traces;
}
