import type { MxRecord, RecordType, Resolver } from '../../ports/dns.ts';
import { type NameAlias, NO_ALIAS } from './name-alias.ts';

export type Ask = Resolver['ask'];

/** What mailauth tells apart; everything else would be a defect to it. */
const CODES: Readonly<Record<string, string>> = { TIMEOUT: 'ETIMEOUT' };

const coded = (code: string) => Object.assign(new Error(code), { code });

const isQuestion = (name: string) =>
  name.length <= 253 && name.split('.').every(({ length }) => length > 0 && length <= 63);

/**
 * SPF of mailauth makes a permerror of a mail server whose name it takes for none, such as
 * `localhost` or `192.0.2.1`; by RFC 7208 §5.4 it has no address and does not match. So these go in
 * with this ending, and are asked for without it.
 */
const ODD_HOST = '.u95z-odd';
const HOST = /^(?:[\x20-\x2d\x2f-\x7e]+\.)+[a-z][a-z0-9-]*$/i;

/** A resolver as mailauth wants it: lists of records, and errors with the codes of node:dns. */
export const toMailauthResolver =
  (ask: Ask, { hide, restore }: NameAlias = NO_ALIAS) =>
  async (alias: string, type: string): Promise<string[] | string[][]> => {
    const name = restore(alias.endsWith(ODD_HOST) ? alias.slice(0, -ODD_HOST.length) : alias);
    if (!isQuestion(name.replace(/\.$/, ''))) throw coded('EBADNAME');
    const answer = await ask(name, type as RecordType);
    if (answer.status === 'failed') throw coded(CODES[answer.error] ?? 'ESERVFAIL');
    if (answer.status !== 'found')
      throw coded(answer.status === 'nxdomain' ? 'ENOTFOUND' : 'ENODATA');
    const records = answer.records.map((record) => {
      if (type === 'MX') return toMx(record as MxRecord);
      if (type === 'PTR') return hide(String(record));
      return Array.isArray(record) ? [...record] : record;
    });
    return records as string[];
  };

function toMx({ preference, exchange }: MxRecord) {
  const host = exchange.replace(/\.$/, '');
  // Without a name the library goes on to the next.
  if (!isQuestion(host)) return { priority: preference, exchange: '' };
  return { priority: preference, exchange: HOST.test(host) ? exchange : host + ODD_HOST };
}
