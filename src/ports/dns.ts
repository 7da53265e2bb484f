export type RecordType = 'A' | 'AAAA' | 'MX' | 'TXT' | 'PTR' | 'CNAME' | 'NS' | 'SPF' | 'TLSA';

/**
 * The answer of the DNS. `nxdomain`: no such name; `nodata`: the name has no such record; `failed`:
 * we do not know (`error`: `TIMEOUT`, `SERVFAIL`, `REFUSED`, `QUERY_LIMIT`, …; `BOGUS`: its DNSSEC
 * signatures do not hold; `unasked`: no server was).
 */
export type DnsAnswer<R> =
  | (Answered & { readonly status: 'found'; readonly records: readonly R[] })
  | (Answered & { readonly status: 'nxdomain' | 'nodata' })
  | { readonly status: 'failed'; readonly error: string; readonly unasked?: true };

interface Answered {
  readonly cnames: readonly string[];
  /** Texts at a name that is an alias as well, where they must not be (RFC 1034 §3.6.2). */
  readonly beside?: readonly string[];
  /** Whether DNSSEC proves it; left out: nobody who checks signatures was asked. */
  readonly secure?: boolean;
}

export interface MxRecord {
  readonly preference: number;
  readonly exchange: string;
}

/** RFC 6698 §2.1. */
export interface TlsaRecord {
  readonly usage: number;
  readonly selector: number;
  readonly matching: number;
  /** In lower-case hex. */
  readonly data: string;
}

/** One query sent, for the trace of a report. */
export interface DnsQuery {
  readonly name: string;
  readonly type: RecordType;
  readonly outcome: string;
  readonly milliseconds: number;
  /** What the name is an alias of, at the end of its CNAMEs. */
  readonly alias?: string;
}

/**
 * The DNS as one mail sees it: every (name, type) is queried once and its answer frozen. Never rejects: what
 * could not be learnt is `failed`.
 */
export interface Resolver {
  /** Each record as its strings, which stay apart. `SPF`: the obsolete type 99; TXT by default. */
  txt(name: string, type?: 'TXT' | 'SPF'): Promise<DnsAnswer<readonly string[]>>;
  addresses(name: string, type: 'A' | 'AAAA'): Promise<DnsAnswer<string>>;
  mx(name: string): Promise<DnsAnswer<MxRecord>>;
  /** `name` is a host or a reverse name such as `25.2.0.192.in-addr.arpa`. */
  names(name: string, type: 'PTR' | 'CNAME' | 'NS'): Promise<DnsAnswer<string>>;
  /** By any type; the shape of a record follows from it. */
  ask(name: string, type: RecordType): Promise<DnsAnswer<unknown>>;
  readonly trace: readonly DnsQuery[];
  /** Resolves when nothing that was asked waits for its answer any more. */
  readonly answered?: () => Promise<void>;
  /** Resolves when something of ours has run out for this mail: its unknowns may be our fault. */
  readonly starved: Promise<void>;
  /** Resolves `starved`: somebody else found that something of ours has run out. */
  starve(): void;
  /** Whether our servers answer a query that no cache answers. By default they do. */
  readonly isServed?: () => Promise<boolean>;
}

/** Whose lookups they are; absent: the service's own. */
export interface DnsConsumer {
  /** The sending client; null: not known. */
  readonly ip: string | null;
  readonly testId: string;
}

/** A fresh view for each mail; nothing is cached across mails, since senders fix their records and retry. */
export type NewResolver = (consumer?: DnsConsumer) => Resolver;
