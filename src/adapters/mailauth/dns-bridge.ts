import type { MxRecord, RecordType, Resolver } from '../../ports/dns.ts';

export type Ask = Resolver['ask'];

/** What mailauth tells apart; everything else would be a defect to it. */
const CODES: Readonly<Record<string, string>> = { TIMEOUT: 'ETIMEOUT' };

const coded = (code: string) => Object.assign(new Error(code), { code });

const isQuestion = (name: string) =>
  name.length <= 253 && name.split('.').every(({ length }) => length > 0 && length <= 63);

/** A resolver as mailauth wants it: lists of records, and errors with the codes of node:dns. */
export const toMailauthResolver =
  (ask: Ask, restore: (name: string) => string = (name) => name) =>
  async (alias: string, type: string): Promise<string[] | string[][]> => {
    const name = restore(alias);
    if (!isQuestion(name.replace(/\.$/, ''))) throw coded('EBADNAME');
    const answer = await ask(name, type as RecordType);
    if (answer.status === 'failed') throw coded(CODES[answer.error] ?? 'ESERVFAIL');
    if (answer.status !== 'found')
      throw coded(answer.status === 'nxdomain' ? 'ENOTFOUND' : 'ENODATA');
    const records = answer.records.map((record) =>
      type === 'MX' ? toMx(record as MxRecord) : Array.isArray(record) ? [...record] : record,
    );
    return records as string[];
  };

const toMx = ({ preference, exchange }: MxRecord) => ({ priority: preference, exchange });
