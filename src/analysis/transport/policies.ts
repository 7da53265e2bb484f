/**
 * Parses the records and policies of MTA-STS and TLS-RPT, and matches MX hosts against the patterns of a
 * policy.
 */

import { toDomain } from '../names/domain-names.ts';
import { splitAddresses, takesTlsReports } from '../syntax/report-address.ts';

/** The content of the TXT record at `_mta-sts` (RFC 8461 §3.1). */
type StsRecord =
  | { readonly state: 'absent' }
  | { readonly state: 'broken'; readonly record: string | null; readonly fault: string }
  | { readonly state: 'usable'; readonly record: string; readonly id: string };

/** An MTA-STS policy (RFC 8461 §3.2). */
export interface StsPolicy {
  readonly version: string | null;
  readonly mode: 'enforce' | 'testing' | 'none' | null;
  /** Lifetime of the policy in seconds. */
  readonly maxAge: number | null;
  readonly mx: readonly string[];
}

/** Maximum lifetime of a policy: 31,557,600 s, about a year (RFC 8461 §3.2). */
export const MAX_AGE_SECONDS = 31_557_600;

/** Number of `mx:` patterns that are read. No domain has so many mail hosts. */
const MAX_PATTERNS = 100;

/** Returns whether an `mx:` value in lower case is a host name, or `*.` followed by a domain. */
function isPattern(mx: string): boolean {
  const name = mx.replace(/^\*\./, '');
  return name.includes('.') && toDomain(name) === name;
}

export function readStsRecord(texts: readonly string[]): StsRecord {
  // Records that do not begin with `v=STSv1` are discarded, and exactly one must remain (RFC 8461 §3.1).
  const records = texts.filter((text) => /^v=STSv1[ \t]*(?:;|$)/.test(text));
  const near = texts.find((text) => /^\W*v\s*[=:]\s*sts/i.test(text));
  const [record, ...others] = records;
  if (record === undefined)
    return near === undefined
      ? { state: 'absent' }
      : { state: 'broken', record: near, fault: 'the record does not begin with v=STSv1' };
  if (others.length > 0)
    return { state: 'broken', record: null, fault: `${records.length} v=STSv1 records` };
  const id = /;\s*id\s*=\s*([^;\s]*)/.exec(record)?.[1];
  if (id === undefined) return { state: 'broken', record, fault: 'id= is missing' };
  if (!/^[a-zA-Z0-9]{1,32}$/.test(id))
    return { state: 'broken', record, fault: 'id= is not 1 to 32 letters and digits' };
  return { state: 'usable', record, id };
}

/** Parses the text of an MTA-STS policy file, and returns the policy and its first fault. */
export function readStsPolicy(text: string): {
  readonly policy: StsPolicy;
  readonly fault: string | null;
} {
  const fields = text
    .split(/\r?\n/)
    .map((line) => /^([a-z0-9][\w.-]{0,31})[ \t]*:(.*)$/i.exec(line))
    .flatMap((match) => (match ? [[match[1] ?? '', (match[2] ?? '').trim()] as const] : []));
  const first = (name: string) => fields.find(([key]) => key === name)?.[1] ?? null;
  const mode = first('mode');
  const maxAge = first('max_age');
  const policy: StsPolicy = {
    version: first('version'),
    mode: mode === 'enforce' || mode === 'testing' || mode === 'none' ? mode : null,
    maxAge: maxAge !== null && /^\d{1,10}$/.test(maxAge) ? Number(maxAge) : null,
    mx: fields
      .filter(([key]) => key === 'mx')
      .map(([, value]) => value.toLowerCase())
      .slice(0, MAX_PATTERNS),
  };
  return { policy, fault: judge(policy) };
}

function judge({ version, mode, maxAge, mx }: StsPolicy): string | null {
  if (version !== 'STSv1') return 'version: is not STSv1';
  if (mode === null) return 'mode: is not enforce, testing or none';
  if (maxAge === null || maxAge > MAX_AGE_SECONDS)
    return `max_age: is not a number of seconds up to ${MAX_AGE_SECONDS}`;
  if (mode !== 'none' && mx.length === 0) return 'the policy names no mx:';
  const bad = mx.find((pattern) => !isPattern(pattern));
  return bad === undefined
    ? null
    : 'an mx: line is neither a host name nor *. followed by a domain';
}

/**
 * Returns whether an `mx:` pattern matches a host. A wildcard stands for exactly one label, the left-most one
 * (RFC 8461 §4.1).
 */
export function matchesPattern(host: string, pattern: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return pattern.startsWith('*.')
    ? name.slice(name.indexOf('.') + 1) === pattern.slice(2) && !name.startsWith('.')
    : name === pattern;
}

/** The content of the TXT record at `_smtp._tls` (RFC 8460 §3). */
interface TlsRpt {
  readonly state: 'valid' | 'absent' | 'broken';
  readonly record: string | null;
  readonly rua: readonly string[];
  readonly fault: string | null;
}

export function readTlsRpt(texts: readonly string[]): TlsRpt {
  const records = texts.filter((text) => /^v=TLSRPTv1[ \t]*(?:;|$)/.test(text));
  const near = texts.find((text) => /^\W*v\s*[=:]\s*tlsrpt/i.test(text));
  const [record, ...others] = records;
  const broken = (fault: string, rua: readonly string[] = []): TlsRpt => ({
    state: 'broken',
    record: record ?? near ?? null,
    rua,
    fault,
  });
  if (record === undefined)
    return near === undefined
      ? { state: 'absent', record: null, rua: [], fault: null }
      : broken('the record does not begin with v=TLSRPTv1');
  // If there are several records, none of them counts (RFC 8460 §3).
  if (others.length > 0) return broken(`${records.length} v=TLSRPTv1 records`);
  const [value = '', ...more] = [...record.matchAll(/;\s*rua\s*=\s*([^;]*)/g)].map(
    ([, one]) => one,
  );
  const rua = splitAddresses(value);
  if (rua.length === 0) return broken('rua= is missing');
  // If `rua=` appears twice, receivers read one of the two or neither (RFC 8460 §3).
  if (more.length > 0) return broken('rua= appears twice');
  if (!rua.every(takesTlsReports)) return broken('rua= is neither mailto: nor https:', rua);
  return { state: 'valid', record, rua, fault: null };
}
