/**
 * Defines the kinds of values that settings can have, such as ports, URLs and secret files, and how each is
 * parsed and described.
 */

import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { keccak_256 } from '@noble/hashes/sha3';
import { findDnsbl, KNOWN_DNSBLS } from '../domain/dnsbls.ts';
import {
  type FilterAddress,
  parseFilterAddress,
  parseFilterUrl,
} from '../domain/filter-address.ts';
import { parseJson } from '../domain/response-body.ts';

/** A kind of value that a setting can have. */
export interface Kind<T> {
  /** The rest of the error message "must be …", which tells how to correct a wrong value. */
  readonly allowed: string;
  /** Parses the text of a setting. Returns `undefined` if the value is not allowed. */
  readonly parse: (text: string) => T | undefined;
}

const DOMAIN =
  /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** A text that passes the test and is used unchanged. */
export const textKind = (allowed: string, test: (text: string) => boolean): Kind<string> => ({
  allowed,
  parse: (value) => (test(value) ? value : undefined),
});

export const line = textKind('one line of text', (value) => !/\p{Cc}/u.test(value));

export const email = textKind('an email address such as you@example.com', (value) =>
  /^[^\s@"'`<>()[\],;:\\]+@[^\s@"'`<>()[\],;:\\]+$/.test(value),
);

/** Only a shell expands `~` and `$HOME`. Otherwise they would become the name of a folder. */
export const folder = textKind(
  'the path of a folder, without ~ or $, which are not replaced here',
  (value) => !/\p{Cc}|^~|\$/u.test(value),
);

export const token = textKind('at least 16 printable ASCII characters without spaces', (value) =>
  /^[\x21-\x7e]{16,}$/.test(value),
);

export const domainName = textKind(
  'a domain name in lower case, such as in.example.net',
  (value) => DOMAIN.test(value) && isIP(value) === 0,
);

export const host = textKind(
  'an address of this machine, such as 127.0.0.1, 0.0.0.0 or ::, or a host name',
  (value) => (/^[\d.]+$|:/.test(value) ? isIP(value) !== 0 : DOMAIN.test(value)),
);

/**
 * A whole number within a range.
 * @param unit completes "a whole number of", in the plural
 */
export const integer = (unit: string, min: number, max: number): Kind<number> => ({
  allowed: `a whole number of ${unit} from ${min} to ${max}`,
  parse: (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    return number >= min && number <= max ? number : undefined;
  },
});

export const bytes = (min: number, max: number) => integer('bytes', min, max);

export const port: Kind<number> = {
  ...integer('', 0, 65_535),
  allowed: 'a port from 1 to 65535, or 0 for a free one',
};

/** The number of copies of a stream. With 3 or 5 copies, a majority is left when one node is lost. */
export const copies: Kind<number> = {
  allowed: '1, 3 or 5',
  parse: (value) => [1, 3, 5].find((one) => String(one) === value),
};

export const choice = <const W extends string>(...words: readonly W[]): Kind<W> => ({
  allowed: words.join(' or '),
  parse: (value) => words.find((word) => word === value),
});

export const listOf = (
  allowed: string,
  test: (item: string) => boolean,
): Kind<readonly string[]> => ({
  allowed: `${allowed}, separated by commas`,
  parse: (value) => {
    const items = value.split(',').map((item) => item.trim());
    return items.every(test) ? items : undefined;
  },
});

/** A name without a dot, such as `none`, is no blocklist. */
export const blocklists = listOf(
  'domain names in lower case such as psbl.surriel.com',
  (item) => DOMAIN.test(item) && item.includes('.'),
);

export const dnsbls = listOf(
  `blocklists whose answers are documented (${KNOWN_DNSBLS.join(', ')})`,
  (item) => findDnsbl(item) !== undefined,
);

const isHttp = (value: string) =>
  URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) && !/\s/.test(value);

/** An HTTP URL. Slashes at its end are removed. */
export const url: Kind<string> = {
  allowed: 'a URL that begins with http:// or https://',
  parse: (value) => (isHttp(value) ? value.replace(/\/+$/, '') : undefined),
};

/** An HTTP URL to which paths are appended, which a query or fragment would swallow. */
export const baseUrl: Kind<string> = {
  allowed: 'a URL that begins with http:// or https://, without a query or fragment',
  parse: (value) => (/[?#]/.test(value) ? undefined : url.parse(value)),
};

/** The URL of an OpenTelemetry collector, with or without the path for traces, which is appended. */
export const collectorUrl: Kind<string> = {
  ...baseUrl,
  parse: (value) => baseUrl.parse(value)?.replace(/\/v1\/traces$/, ''),
};

/**
 * The public URL of the service. It may have a path of its own if the service is behind a proxy that
 * strips that path.
 */
export const publicUrl: Kind<string> = {
  allowed: 'a URL such as https://mailtest.example, without a query or password',
  parse: (value) => {
    const parsed = isHttp(value) ? new URL(value) : undefined;
    const plain = parsed && parsed.origin + parsed.pathname;
    return plain !== undefined && parsed?.href === plain ? plain.replace(/\/+$/, '') : undefined;
  },
};

/** The address of spamd. `rules.ts` checks where it may be. */
export const filterAddress: Kind<FilterAddress> = {
  allowed: 'an address with a port such as 127.0.0.1:783, or the path of a Unix socket',
  parse: parseFilterAddress,
};

export const filterUrl: Kind<FilterAddress> = {
  allowed:
    'a URL such as http://127.0.0.1:11333, without a path, user or query, or unix:/run/rspamd.sock',
  parse: parseFilterUrl,
};

/** An amount of the chain's native coin, which is parsed to wei. */
export const ether: Kind<bigint> = {
  allowed: 'an amount of ether such as 0.00002',
  parse: (value) => {
    const [, whole, part = ''] = /^(\d{1,9})(?:\.(\d{1,18}))?$/.exec(value) ?? [];
    return whole === undefined ? undefined : BigInt(whole + part.padEnd(18, '0')) || undefined;
  },
};

/** The content of a file that only its owner and group may read. */
export const secretFile: Kind<string> = {
  allowed: 'the path of a file that this user can read and others cannot (chmod o-rwx)',
  parse: (path) => (isOpenToOthers(path) ? undefined : file.parse(path)),
};

const isOpenToOthers = (path: string) =>
  ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o007) !== 0;

/** The content of a file. No message shows the path or the content. */
export const file: Kind<string> = {
  allowed: 'the path of a non-empty file that this user can read',
  parse: (path) => {
    try {
      return readFileSync(path, 'utf8').trim() || undefined;
    } catch {
      return undefined;
    }
  },
};

/**
 * A secret API key of the Coinbase Developer Platform, read from a JSON file. Older keys have a `name`
 * instead of an `id`.
 */
export const cdpKeyFile: Kind<{ readonly id: string; readonly secret: string }> = {
  allowed: 'the path of a JSON file with the id and privateKey of an API key',
  parse: (path) => {
    const { name, id = name, privateKey: secret } = Object(parseJson(file.parse(path) ?? ''));
    return typeof id === 'string' && typeof secret === 'string' ? { id, secret } : undefined;
  },
};

/**
 * Returns an address with its checksum (EIP-55): a letter is upper case where the hash has a digit of 8 or
 * more.
 */
function checksummed(digits: string): string {
  const hash = Buffer.from(keccak_256(digits.toLowerCase())).toString('hex');
  const toCase = (digit: string, at: number) =>
    Number.parseInt(hash[at] ?? '', 16) > 7 ? digit.toUpperCase() : digit;
  return digits.toLowerCase().replace(/./g, toCase);
}

/**
 * An Ethereum address. It is not checked with viem, because viem would then be loaded even if nothing is
 * sold.
 */
export const address = textKind(
  'a non-zero address, 0x and 40 hex digits, copied exactly: its checksum must match',
  (value) => {
    const digits = /^0x([0-9a-fA-F]{40})$/.exec(value)?.[1] ?? '0';
    const isMixed = /[a-f]/.test(digits) && /[A-F]/.test(digits);
    return !/^0+$/.test(digits) && (!isMixed || digits === checksummed(digits));
  },
);
