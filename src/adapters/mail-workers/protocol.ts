/**
 * Declares the messages between the main thread and the workers that analyse emails, and the data with which
 * a worker starts.
 */

import type { ErrorDescription } from '../../domain/describe-error.ts';
import type { FilterSettings } from '../../domain/filter-address.ts';
import type { FilterName } from '../../domain/report/filters.ts';
import type { ArrivalTimes, FinishedReport, GateVerdict, MailToAnalyze } from '../../ports/mail.ts';

/** How long the DNS queries of an email took, in milliseconds, by their outcome, for metrics. */
export type QueryTimes = Readonly<Record<string, readonly number[]>>;

/** Messages to a worker. Each side posts all its waiting messages as one array. */
export type ToWorker =
  | {
      readonly kind: 'open';
      /** The number of the email, counted from 1 in the order in which emails are sent to a worker. */
      readonly number: number;
      /** The bytes of the email, in shared memory or moved. The side that takes them overwrites them. */
      readonly bytes: Uint8Array;
      readonly mail: Omit<MailToAnalyze, 'bytes' | 'resolver'>;
      /** The current time by the log's clock, in milliseconds since 1970. */
      readonly now: number;
    }
  | { readonly kind: 'report'; readonly number: number; readonly arrival: ArrivalTimes }
  | { readonly kind: 'end'; readonly number: number };

/** Messages from a worker. `reported`, `failed` and `ended` are the last messages about an email. */
export type FromWorker =
  | { readonly kind: 'gate'; readonly number: number; readonly gate: GateVerdict }
  | { readonly kind: 'reported'; readonly number: number; readonly report: FinishedReport | 'lost' }
  | { readonly kind: 'failed'; readonly number: number; readonly overloaded: boolean }
  | { readonly kind: 'ended'; readonly number: number; readonly queries: QueryTimes }
  | { readonly kind: 'defect'; readonly defect: Defect }
  /** A filter was asked about an email. */
  | { readonly kind: 'filter'; readonly name: FilterName; readonly isAnswered: boolean };

/** A bug in our code, and the part of the analysis that it broke. */
export interface Defect extends ErrorDescription {
  readonly part: 'authentication' | 'content' | 'analysis';
}

/** The settings of a worker, as plain data. */
export interface WorkerSetup {
  readonly dnsServers: readonly string[];
  readonly dnsValidates: boolean;
  /** The domain of the addresses that tests use. */
  readonly mailDomain: string;
  readonly nat64Prefixes: readonly string[];
  readonly webRiskApiKey: string | null;
  readonly visitsMailHosts: boolean;
  readonly refusalBlocklists: readonly string[];
  readonly dnsbls: readonly string[];
  readonly filters?: FilterSettings;
  /** The web servers that tests and the demo use instead of the real ones. */
  readonly fetchOverride?: {
    readonly connect: string;
    readonly port: number;
    readonly ca: string;
  };
}

/** The data that is passed to the entry module of a worker. */
export interface WorkerData {
  readonly setup: WorkerSetup;
  /** Signs of life that the worker writes to shared memory: see `watch.ts`. */
  readonly signs: Int32Array<SharedArrayBuffer>;
  /** Counts the concurrent queries of all workers together. */
  readonly inFlight: Int32Array<SharedArrayBuffer>;
  /** Counts the new names that all workers look up. */
  readonly newNames: Int32Array<SharedArrayBuffer>;
}
