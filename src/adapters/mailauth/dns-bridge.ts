import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordType, Resolver } from '../../ports/dns.ts';

export type Ask = Resolver['ask'];

/** What mailauth tells apart; everything else would be a defect to it. */
const CODES: Readonly<Record<string, string>> = { TIMEOUT: 'ETIMEOUT' };

/** Strings of a record, of 255 octets each, from which reading it takes a while: no honest key has as many. */
const MANY_STRINGS = 8;

const coded = (code: string) => Object.assign(new Error(code), { code });

const isName = (name: string) =>
  name.length <= 253 && name.split('.').every(({ length }) => length > 0 && length <= 63);

/** A resolver as mailauth wants it: the strings of key records, and errors with the codes of node:dns. */
export const toMailauthResolver =
  (ask: Ask) =>
  async (name: string, type: string): Promise<string[][]> => {
    if (!isName(name.replace(/\.$/, ''))) throw coded('EBADNAME');
    const answer = await ask(name, type as RecordType);
    if (answer.status === 'failed') throw coded(CODES[answer.error] ?? 'ESERVFAIL');
    if (answer.status !== 'found')
      throw coded(answer.status === 'nxdomain' ? 'ENOTFOUND' : 'ENODATA');
    const records = answer.records.map((strings) => [...(strings as readonly string[])]);
    // Reading a key of 60 KB takes milliseconds: each has a turn of the event loop of its own.
    if (records.some((strings) => strings.length > MANY_STRINGS)) await nextTurn();
    return records;
  };
