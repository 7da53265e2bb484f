import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MxRecord, RecordType, Resolver } from '../../ports/dns.ts';

export type Ask = Resolver['ask'];

/** What mailauth tells apart; everything else would be a defect to it. */
const CODES: Readonly<Record<string, string>> = { TIMEOUT: 'ETIMEOUT' };

/** Strings of a record, of 255 octets each, from which reading it takes a while: no honest key has as many. */
const MANY_STRINGS = 8;

const coded = (code: string) => Object.assign(new Error(code), { code });

/** Whether a name can be asked for at all. */
export const isName = (name: string) =>
  name.length <= 253 && name.split('.').every(({ length }) => length > 0 && length <= 63);

/** A resolver as mailauth wants it: records in the shapes of node:dns, and its errors by their codes. */
export const toMailauthResolver =
  (ask: Ask) =>
  async (name: string, type: string): Promise<string[][]> => {
    if (!isName(name.replace(/\.$/, ''))) throw coded('EBADNAME');
    const answer = await ask(name, type as RecordType);
    if (answer.status === 'failed') throw coded(CODES[answer.error] ?? 'ESERVFAIL');
    if (answer.status !== 'found')
      throw coded(answer.status === 'nxdomain' ? 'ENOTFOUND' : 'ENODATA');
    const records = answer.records.map(toNodeRecord);
    // Reading a key of 60 KB takes milliseconds: each has a turn of the event loop of its own.
    if (records.some((record) => Array.isArray(record) && record.length > MANY_STRINGS))
      await nextTurn();
    // Its types know TXT alone.
    return records as string[][];
  };

function toNodeRecord(record: unknown): unknown {
  if (Array.isArray(record)) return [...record];
  if (typeof record === 'string') return record;
  const { preference, exchange } = record as MxRecord;
  return { priority: preference, exchange };
}
