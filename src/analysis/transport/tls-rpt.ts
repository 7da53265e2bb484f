/** What the TXT at `_smtp._tls` says (RFC 8460 §3). */
export interface TlsRpt {
  readonly state: 'valid' | 'absent' | 'broken';
  readonly record: string | null;
  readonly rua: readonly string[];
  readonly fault: string | null;
}

const URI = /^(?:mailto:[^\s@,;!]+@[a-z0-9._-]+(?:\?[^\s,;!]*)?|https:\/\/[^\s,;!]+)$/i;

export function readTlsRpt(texts: readonly string[]): TlsRpt {
  const records = texts.filter((text) => /^v=TLSRPTv1[ \t]*(?:;|$)/.test(text));
  const near = texts.find((text) => /^\s*v\s*=\s*tlsrpt/i.test(text));
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
  // RFC 8460 §3: several count as none.
  if (others.length > 0) return broken(`${records.length} v=TLSRPTv1 records`);
  const value = /;\s*rua\s*=\s*([^;]*)/.exec(record)?.[1] ?? '';
  const rua = value
    .split(',')
    .map((uri) => uri.trim())
    .filter((uri) => uri !== '');
  if (rua.length === 0) return broken('rua= is missing');
  if (!rua.every((uri) => URI.test(uri))) return broken('rua= is neither mailto: nor https:', rua);
  return { state: 'valid', record, rua, fault: null };
}
