import { spf } from 'mailauth/lib/spf/index.js';
import type { MxRecord, RecordType, Resolver } from '../../../src/ports/dns.ts';
import type { SpfIdentity } from './evaluate-spf.ts';

const CODES: Readonly<Record<string, string>> = { nxdomain: 'ENOTFOUND', nodata: 'ENODATA' };

/** A resolver as mailauth wants it, for records of any type. */
export const mailauthResolver =
  (ask: Resolver['ask']) =>
  async (name: string, type: string): Promise<string[]> => {
    const answer = await ask(name, type as RecordType);
    if (answer.status !== 'found') {
      const code = CODES[answer.status] ?? 'ESERVFAIL';
      throw Object.assign(new Error(code), { code });
    }
    const records = answer.records.map((record) => {
      if (type !== 'MX') return Array.isArray(record) ? [...record] : record;
      const { preference, exchange } = record as MxRecord;
      return { priority: preference, exchange };
    });
    return records as string[];
  };

/** SPF by mailauth, a second opinion. */
export async function judgeByMailauth(identity: SpfIdentity, resolver: Resolver): Promise<string> {
  const { ip, helo, localPart, domain } = identity;
  const { status } = await spf({
    sender: `${localPart}@${domain}`,
    ip,
    helo,
    mta: 'unknown',
    strict: true,
    resolver: mailauthResolver(resolver.ask),
  });
  return String(status.result);
}
