import type { ErrorDescription } from '../../domain/describe-error.ts';
import type { FilterSettings } from '../../domain/filter-address.ts';
import type { FilterName } from '../../domain/report/filters.ts';
import type { ArrivalTimes, FinishedReport, GateVerdict, MailToAnalyze } from '../../ports/mail.ts';

/** How long the queries of a mail took, in milliseconds, by their outcomes: for metrics. */
export type QueryTimes = Readonly<Record<string, readonly number[]>>;

/** To a worker; each side posts what it has as one array. */
export type ToWorker =
  | {
      readonly kind: 'open';
      /** In the order in which a worker is sent them, from 1. */
      readonly number: number;
      /** In shared memory, or moved. Overwritten by the side that takes it. */
      readonly bytes: Uint8Array;
      readonly mail: Omit<MailToAnalyze, 'bytes' | 'resolver'>;
      /** By the log's clock, in milliseconds since 1970. */
      readonly now: number;
    }
  | { readonly kind: 'report'; readonly number: number; readonly arrival: ArrivalTimes }
  | { readonly kind: 'end'; readonly number: number };

/** From a worker. `reported`, `failed` and `ended` are the last of a mail. */
export type FromWorker =
  | { readonly kind: 'gate'; readonly number: number; readonly gate: GateVerdict }
  | { readonly kind: 'reported'; readonly number: number; readonly report: FinishedReport | 'lost' }
  | { readonly kind: 'failed'; readonly number: number; readonly overloaded: boolean }
  | { readonly kind: 'ended'; readonly number: number; readonly queries: QueryTimes }
  | { readonly kind: 'defect'; readonly defect: Defect }
  /** A filter was asked about an email. */
  | { readonly kind: 'filter'; readonly name: FilterName; readonly isAnswered: boolean };

/** An error of ours, and the part of the analysis that it broke. */
export interface Defect extends ErrorDescription {
  readonly part: 'authentication' | 'content' | 'analysis';
}

/** What a worker is made for: plain data. */
export interface WorkerSetup {
  readonly dnsServers: readonly string[];
  readonly dnsValidates: boolean;
  /** Of the tests. */
  readonly mailDomain: string;
  readonly nat64Prefixes: readonly string[];
  readonly webRiskApiKey: string | null;
  readonly visitsMailHosts: boolean;
  readonly refusalBlocklists: readonly string[];
  readonly dnsbls: readonly string[];
  readonly filters?: FilterSettings;
  /** Where tests and the demo have their web servers. */
  readonly fetchOverride?: {
    readonly connect: string;
    readonly port: number;
    readonly ca: string;
  };
}

/** What the entry of a worker is given. */
export interface WorkerData {
  readonly setup: WorkerSetup;
  /** See `watch.ts`. */
  readonly signs: Int32Array<SharedArrayBuffer>;
  /** Queries in flight of all workers together. */
  readonly inFlight: Int32Array<SharedArrayBuffer>;
  /** New names that all workers ask for. */
  readonly newNames: Int32Array<SharedArrayBuffer>;
}
