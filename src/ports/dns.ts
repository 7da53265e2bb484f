/** Declares the port through which an analysis looks up DNS records. */

export type RecordType = 'A' | 'AAAA' | 'MX' | 'TXT' | 'PTR' | 'CNAME' | 'NS' | 'SPF' | 'TLSA';

/**
 * A DNS answer. `nxdomain`: the name does not exist; `nodata`: the name has no such record; `failed`: we do
 * not know. The `error` of a failure is `TIMEOUT`, `SERVFAIL`, `REFUSED`, `QUERY_LIMIT`, …; `BOGUS` if its
 * DNSSEC signatures are invalid; `unasked` if no server was asked.
 */
export type DnsAnswer<R> =
  | (Answered & { readonly status: 'found'; readonly records: readonly R[] })
  | (Answered & { readonly status: 'nxdomain' | 'nodata' })
  | { readonly status: 'failed'; readonly error: string; readonly unasked?: true };

interface Answered {
  readonly cnames: readonly string[];
  /** TXT records at a name that is also an alias, where they are not allowed (RFC 1034 §3.6.2). */
  readonly beside?: readonly string[];
  /** True if DNSSEC proves the answer. Absent if no resolver that checks signatures was asked. */
  readonly secure?: boolean;
}

export interface MxRecord {
  readonly preference: number;
  readonly exchange: string;
}

/** The data of a TLSA record (RFC 6698 §2.1). */
export interface TlsaRecord {
  readonly usage: number;
  readonly selector: number;
  readonly matching: number;
  /** The certificate association data, in lower-case hex. */
  readonly data: string;
}

/** A query that was sent, for the trace in a report. */
export interface DnsQuery {
  readonly name: string;
  readonly type: RecordType;
  readonly outcome: string;
  readonly milliseconds: number;
  /** The last name of the chain of CNAMEs, if the queried name is an alias. */
  readonly alias?: string;
}

/**
 * The DNS as one email sees it: every pair of name and type is queried once, and its answer does not change
 * after that. Never rejects: what could not be learnt is `failed`.
 */
export interface Resolver {
  /**
   * Returns each record as its strings, which are kept apart. `SPF` is the obsolete type 99. The default is
   * TXT.
   */
  txt(name: string, type?: 'TXT' | 'SPF'): Promise<DnsAnswer<readonly string[]>>;
  addresses(name: string, type: 'A' | 'AAAA'): Promise<DnsAnswer<string>>;
  mx(name: string): Promise<DnsAnswer<MxRecord>>;
  /** `name` is a host or a reverse name such as `25.2.0.192.in-addr.arpa`. */
  names(name: string, type: 'PTR' | 'CNAME' | 'NS'): Promise<DnsAnswer<string>>;
  /** Queries any type. The shape of a record depends on the type. */
  ask(name: string, type: RecordType): Promise<DnsAnswer<unknown>>;
  readonly trace: readonly DnsQuery[];
  /** Resolves when no query is waiting for its answer any more. */
  readonly answered?: () => Promise<void>;
  /** Resolves when one of our resources has run out for this email: its unknowns may then be our fault. */
  readonly starved: Promise<void>;
  /** Resolves `starved`. Call it if another part finds that one of our resources has run out. */
  starve(): void;
  /** Returns whether our servers answer a query that no cache can answer. By default they do. */
  readonly isServed?: () => Promise<boolean>;
}

/** The client for which lookups are made. Absent for the service's own lookups. */
export interface DnsConsumer {
  /** The address of the sending client; null if unknown. */
  readonly ip: string | null;
  readonly testId: string;
}

/**
 * Makes a fresh view for each email. Nothing is cached across emails, because senders fix their records and
 * retry.
 */
export type NewResolver = (consumer?: DnsConsumer) => Resolver;
