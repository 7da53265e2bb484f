/** Finds the header fields that Cloudflare adds to the top of an email. */

import { parseTagList } from '../../syntax/tag-list.ts';
import { type LeadingField, leadingFields } from '../stamped-results.ts';
import { readReceived, readReceivedSpf, type Trace } from './trace-forms.ts';

/** The provider's name in `receiver=` and at the beginning of its authentication results. */
export const AUTHSERV_ID = 'mx.cloudflare.net';

/** The domains in the provider's `d=` tags. */
const DOMAINS = ['cloudflare-email.net', 'email.cloudflare.net'];

/** The provider's header fields in the order in which it writes them. */
const ORDER = [
  'received',
  'arc-seal',
  'arc-message-signature',
  'arc-authentication-results',
  'received-spf',
  'authentication-results',
  'x-cf-spamh-score',
] as const;

type Name = (typeof ORDER)[number] | typeof SIGNATURE;

/**
 * Maximum length of a field value that is read, in bytes. The provider's own values are a tenth as long, and
 * the code that reads a value may examine each byte many times.
 */
const MAX_VALUE = 8 * 1024;

/** A field that the provider adds only occasionally, and at no fixed place. */
const SIGNATURE = 'dkim-signature';

/**
 * The provider's header fields at the top of an email. Everything after the first `bytes` bytes comes from
 * the sender.
 */
export interface FoundBlock {
  readonly bytes: number;
  readonly received: Trace;
  /** Names of the fields, in the order of the email. */
  readonly names: readonly Name[];
  readonly values: ReadonlyMap<Name, string>;
}

/**
 * Finds where the provider's own header fields end. If the provider omits a field, the sender's first field
 * of that name looks like the provider's. The code that reads the values must account for that.
 * @param head the email, or as much of its header block as has arrived
 */
export function findBlock(head: Uint8Array): FoundBlock | null {
  const values = new Map<Name, string>();
  let received: Trace | null = null;
  let bytes = 0;
  let next = 0;

  for (const field of leadingFields(head)) {
    const name = nameOf(field);
    const place = ORDER.indexOf(name as (typeof ORDER)[number]);
    if (
      !name ||
      field.value.length > MAX_VALUE ||
      values.has(name) ||
      (place !== -1 && place < next)
    )
      break;
    if (received) {
      if (!namesProvider(name, field.value, values)) break;
    } else {
      received = name === 'received' ? readReceived(field.value) : null;
      if (!received) return null;
    }
    values.set(name, field.value);
    bytes = field.end;
    next = place === -1 ? next : place + 1;
  }
  return received && { bytes, received, names: [...values.keys()], values };
}

const NAMES: readonly Name[] = [...ORDER, SIGNATURE];

const nameOf = ({ name }: LeadingField): Name | undefined => NAMES.find((one) => one === name);

function namesProvider(name: Name, value: string, above: ReadonlyMap<Name, string>): boolean {
  switch (name) {
    case 'arc-seal':
    case 'arc-message-signature':
    case 'dkim-signature': {
      const tags = parseTagList(value);
      return DOMAINS.includes(tags.get('d')?.toLowerCase() ?? '') && isSameSet(name, value, above);
    }
    case 'arc-authentication-results':
      return (
        resultsOf(value.replace(/^i\s*=\s*\d+\s*;/i, '')) !== null && isSameSet(name, value, above)
      );
    case 'received-spf':
      return readReceivedSpf(value, AUTHSERV_ID) !== null;
    case 'authentication-results':
      return resultsOf(value) !== null;
    default:
      return true;
  }
}

/**
 * Returns whether a field belongs to the same ARC set as the seal above it. The three fields of one hop share
 * their instance number (RFC 8617 §4.2).
 */
function isSameSet(name: Name, value: string, above: ReadonlyMap<Name, string>): boolean {
  const seal = above.get('arc-seal');
  return name === SIGNATURE || seal === undefined || instanceOf(value) === instanceOf(seal);
}

const instanceOf = (value: string) => parseTagList(value).get('i');

/**
 * Returns the results after the provider's `authserv-id` (RFC 8601 §2.2), or null if they come from someone
 * else.
 */
export function resultsOf(value: string): string | null {
  const [, id = '', rest = ''] = /^\s*([^\s;]+)(?:\s+1)?\s*;(.*)$/s.exec(value) ?? [];
  return id.toLowerCase() === AUTHSERV_ID ? rest : null;
}
