/** Reads the client, the sender and the recipient from Cloudflare's `Received` and `Received-SPF` fields. */

import { canonicalIp } from '../../addresses.ts';
import { withoutComments } from '../../syntax/words.ts';

/**
 * The values that a trace field states about the SMTP transaction. A value that is missing, or given twice,
 * is null.
 */
export interface Trace {
  /** IP address of the client, in canonical form. */
  readonly ip: string | null;
  /** HELO name in lower case. */
  readonly helo: string | null;
  /** Mailbox of the envelope sender without angle brackets. Empty for the null sender. */
  readonly from: string | null;
  readonly to: string | null;
}

/** Matches a HELO name that the report may show. Email addresses and unprintable text do not match. */
const HELO = /^[\x21-\x3f\x41-\x7e]{1,255}$/;

const toHelo = (text: string | null): string | null =>
  text !== null && HELO.test(text) ? text.toLowerCase() : null;

/**
 * Returns an IP address in canonical form, or null. Plain numbers are not accepted, although `inet_aton`
 * reads them as addresses.
 */
const toIp = (text = ''): string | null =>
  /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f.]*:[0-9a-f:.]*)$/i.test(text) ? canonicalIp(text) : null;

/**
 * Matches in only one way, because the client chooses the name after `from`, but no such name can end in a
 * date.
 */
const RECEIVED =
  /^from (\S+) \((\S+)\) by (?:cloudflare-email\.(?:net|com|org)|email\.cloudflare\.net) \((?:cloudflare|unknown)\) id \S+ for <([^<>\s]*)> ?; [A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}(?: \([A-Z]+\))?$/i;

/** Reads the provider's `Received`. Null if the field is someone else's, or has another form. */
export function readReceived(value: string): Trace | null {
  const match = RECEIVED.exec(value.replace(/\s+/g, ' '));
  const ip = toIp(match?.[2]);
  return match && ip !== null
    ? { ip, helo: toHelo(match[1] ?? null), from: null, to: match[3] ?? null }
    : null;
}

/** Reads the provider's `Received-SPF`. Null if the field does not name `receiver` (RFC 7208 §9.1). */
export function readReceivedSpf(value: string, receiver: string): Trace | null {
  const keys = keysOf(withoutComments(value));
  if (keys.get('receiver')?.toLowerCase() !== receiver) return null;
  return {
    ip: toIp(keys.get('client-ip')),
    helo: toHelo(keys.get('helo') ?? null),
    from: keys.get('envelope-from')?.replace(/^<(.*)>$/, '$1') ?? null,
    to: null,
  };
}

const PAIR = /(?<![a-z0-9-])([a-z0-9-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/gi;

/**
 * Returns the keys of a field with their values. A sender's address that breaks out of its quotation marks
 * can only add a key, and a key given twice is dropped.
 */
function keysOf(text: string): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  const twice = new Set<string>();
  for (const [, name = '', quoted, bare] of text.matchAll(PAIR)) {
    const key = name.toLowerCase();
    if (keys.has(key)) twice.add(key);
    keys.set(key, quoted?.replace(/\\(.)/g, '$1') ?? bare ?? '');
  }
  for (const key of twice) keys.delete(key);
  return keys;
}
