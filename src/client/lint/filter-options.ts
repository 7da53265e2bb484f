/**
 * Declares the options `--spamd` and `--rspamd`, which name spam filters, parses their addresses, and says
 * where they send an email.
 */

import {
  type FilterSettings,
  parseFilterAddress,
  parseFilterUrl,
} from '../../domain/filter-address.ts';
import { usageError } from '../exit.ts';

export const filterOptions = {
  spamd: { type: 'string' },
  rspamd: { type: 'string' },
} as const;

interface FilterValues {
  readonly spamd?: string | undefined;
  readonly rspamd?: string | undefined;
}

/**
 * Parses the addresses of the spam filters. They may be anywhere: by giving an address, the user decides to
 * send the email there. Returns null if no filter is named.
 */
export function toFilterSettings({ spamd, rspamd }: FilterValues): FilterSettings | null {
  if (spamd === undefined && rspamd === undefined) return null;
  return {
    spamd: spamd === undefined ? null : read('--spamd', spamd, parseFilterAddress),
    rspamd: rspamd === undefined ? null : read('--rspamd', rspamd, parseFilterUrl),
  };
}

const SHAPES = {
  '--spamd': 'HOST:PORT, such as 127.0.0.1:783, or the path of a Unix socket',
  '--rspamd': 'a URL without a path, such as http://127.0.0.1:11333, or unix:/run/rspamd.sock',
};

function read<T>(
  option: keyof typeof SHAPES,
  text: string,
  parse: (text: string) => T | undefined,
): T {
  const address = parse(text);
  if (address === undefined) throw usageError(`${option} must be ${SHAPES[option]}, not ${text}.`);
  return address;
}

/** Says in a sentence where the email is sent. Returns null if it is not sent anywhere. */
export function saysWhere({ spamd, rspamd }: FilterValues): string | null {
  const named = [
    ...(spamd === undefined ? [] : [`SpamAssassin at ${spamd}`]),
    ...(rspamd === undefined ? [] : [`rspamd at ${rspamd}`]),
  ];
  return named.length === 0
    ? null
    : `The whole email is sent to ${named.join(' and to ')}, as you asked.`;
}
