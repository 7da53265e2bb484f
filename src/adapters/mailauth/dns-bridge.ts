/** Lets mailauth look up names with our resolver, and tells whether a name can be looked up at all. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MxRecord, RecordType, Resolver } from '../../ports/dns.ts';

export type Ask = Resolver['ask'];

/**
 * The codes of node:dns for those of our errors that mailauth distinguishes. It would treat any other code as
 * a bug.
 */
const CODES: Readonly<Record<string, string>> = { TIMEOUT: 'ETIMEOUT' };

/**
 * Number of 255-octet strings in a record from which reading the record takes a while. No honest key has that
 * many.
 */
const MANY_STRINGS = 8;

const coded = (code: string) => Object.assign(new Error(code), { code });

/** Returns whether a name can be looked up at all. */
export const isName = (name: string) =>
  name.length <= 253 && name.split('.').every(({ length }) => length > 0 && length <= 63);

/** Adapts a resolver to mailauth: records in the shapes of node:dns, and errors with its codes. */
export const toMailauthResolver =
  (ask: Ask) =>
  async (name: string, type: string): Promise<string[][]> => {
    if (!isName(name.replace(/\.$/, ''))) throw coded('EBADNAME');
    const answer = await ask(name, type as RecordType);
    if (answer.status === 'failed') throw coded(CODES[answer.error] ?? 'ESERVFAIL');
    if (answer.status !== 'found')
      throw coded(answer.status === 'nxdomain' ? 'ENOTFOUND' : 'ENODATA');
    const records = answer.records.map(toNodeRecord);
    // Reading a key of 60 KB takes milliseconds, so each such record gets its own turn of the event loop.
    if (records.some((record) => Array.isArray(record) && record.length > MANY_STRINGS))
      await nextTurn();
    // The library's types know only TXT records.
    return records as string[][];
  };

function toNodeRecord(record: unknown): unknown {
  if (Array.isArray(record)) return [...record];
  if (typeof record === 'string') return record;
  const { preference, exchange } = record as MxRecord;
  return { priority: preference, exchange };
}
