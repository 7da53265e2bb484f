/**
 * Reads the client, the verdicts and the spam score from the header fields that Cloudflare adds to an email,
 * and finds contradictions among these fields and with the envelope.
 */

import type { Provider } from '../../../domain/report/connection.ts';
import { parseTagList } from '../../syntax/tag-list.ts';
import type { ReadBlock, ReadProviderBlock } from '../provider.ts';
import { readStampedResults, type StampedResults } from '../stamped-results.ts';
import { AUTHSERV_ID, type FoundBlock, findBlock, resultsOf } from './find-block.ts';
import { readReceivedSpf, type Trace } from './trace-forms.ts';

export const readCloudflare: ReadProviderBlock = (head, envelope) => {
  const block = findBlock(head);
  if (!block) return null;
  const { received, values } = block;
  const spf = readReceivedSpf(values.get('received-spf') ?? '', AUTHSERV_ID);
  const client = clientOf(received, spf);
  return {
    name: 'cloudflare',
    bytes: block.bytes,
    client,
    report: {
      authserv_id: AUTHSERV_ID,
      ...verdictsOf(block),
      spam_score: scoreOf(values.get('x-cf-spamh-score')),
      block_headers: [...block.names],
    },
    sealed: isSealed(block),
    partialErrors: [
      ...(client.source === 'unknown'
        ? ['connection: the headers of the provider disagree on who sent the email']
        : []),
      ...(differs(received.to, envelope.to, 'any_case')
        ? [
            'connection: the provider names another recipient in its Received field than in the envelope',
          ]
        : []),
      ...(differs(spf?.from ?? null, envelope.from, 'as_is')
        ? [
            'connection: the provider names another sender in its Received-SPF field than in the envelope',
          ]
        : []),
    ],
  };
};

const SET = ['arc-seal', 'arc-message-signature', 'arc-authentication-results'] as const;

/**
 * Returns whether the provider's ARC seal covers the whole chain. A seal with `cv=fail` covers only its own
 * set (RFC 8617 §5.1.2).
 */
const isSealed = ({ values }: FoundBlock): boolean =>
  SET.every((name) => values.has(name)) &&
  parseTagList(values.get('arc-seal') ?? '')
    .get('cv')
    ?.toLowerCase() !== 'fail';

/**
 * Returns the client that sent the email. `Received` always comes from the provider. A `Received-SPF` that
 * contradicts it may come from a sender, if the provider omitted its own.
 */
function clientOf(received: Trace, spf: Trace | null): ReadBlock['client'] {
  if (conflicts(received.ip, spf?.ip) || conflicts(received.helo, spf?.helo))
    return { ip: null, helo: null, source: 'unknown' };
  if (spf?.ip) return { ip: spf.ip, helo: spf.helo ?? received.helo, source: 'received-spf' };
  return { ip: received.ip, helo: received.helo, source: 'received' };
}

const conflicts = (one: string | null, other: string | null | undefined): boolean =>
  one !== null && other != null && one !== other;

/**
 * Returns the provider's verdicts, from the copy that its ARC seal covers if there is one. A sender may have
 * written the other copy.
 */
function verdictsOf({ values }: FoundBlock): Partial<StampedResults> & Pick<Provider, 'source'> {
  const sealed = read(values.get('arc-authentication-results')?.replace(/^i\s*=\s*\d+\s*;/i, ''));
  const plain = read(values.get('authentication-results'));
  if (sealed && plain && JSON.stringify(sealed) !== JSON.stringify(plain))
    return { source: 'none' };
  if (sealed) return { ...sealed, source: 'arc-authentication-results' };
  return plain ? { ...plain, source: 'authentication-results' } : { source: 'none' };
}

function read(value: string | undefined): StampedResults | null {
  const results = value === undefined ? null : resultsOf(value);
  return results === null ? null : readStampedResults(results);
}

const scoreOf = (value = ''): number | null =>
  /^-?\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Number(value) : null;

/**
 * Returns whether a mailbox in a header field differs from that in the envelope. Header values are bytes,
 * while the envelope is text.
 */
function differs(stamped: string | null, stated: string, how: 'any_case' | 'as_is'): boolean {
  if (stamped === null) return false;
  const text = Buffer.from(stamped, 'latin1').toString('utf8');
  return how === 'any_case'
    ? text.toLowerCase() !== stated.toLowerCase()
    : folded(text) !== folded(stated);
}

/**
 * Returns a mailbox with its domain in lower case. Domains are case-insensitive, but local parts are not.
 */
const folded = (mailbox: string): string => {
  const at = mailbox.lastIndexOf('@');
  return mailbox.slice(0, at + 1) + mailbox.slice(at + 1).toLowerCase();
};
