/**
 * Defines the check on whether an email has exactly one usable From field, and tells the domain of a freemail
 * provider from one of the sender's own.
 */

import { check } from '../check.ts';
import { asSeen } from '../definition.ts';
import type { Facts, HeaderFacts } from '../facts.ts';
import { formatId } from '../format.ts';
import { known, type LookupResult, unknown } from '../lookup-result.ts';
import { isProviderDomain } from '../names/shared-pools.ts';
import { REFUSED_IN_PART } from '../scale.ts';

const FROM_FAULTS: Readonly<Record<string, string>> = {
  missing: 'no From header',
  several_fields: 'more than one From header',
  too_large: 'a From header that is too large to read',
  too_many_addresses: 'too many addresses to read',
  unparsable: 'an address that cannot be read',
  no_address: 'no address',
  several_authors: 'several authors and no Sender',
  authors: 'several authors, while Gmail accepts only one',
  unquoted: 'a comma, colon or semicolon in the display name outside quotes',
  comment_address: 'an address in a comment',
  raw_8bit: 'raw non-ASCII text',
  no_dot: 'a domain without a dot',
  dot_at_end: 'a dot at the end of the domain',
  route: 'an obsolete route before the address',
  group: 'a group instead of an address',
};

/** Unusual forms that make the From field read as several addresses. */
const SEVERAL: readonly string[] = ['authors', 'unquoted'];

export const fromHeader = check({
  id: 'from_header',
  family: 'structure',
  title: 'From header',
  header: 'From',
  source:
    'RFC 5322 §3.4.1, §3.6.2, §4.4; RFC 6854; RFC 9989; Gmail 550-5.7.1 multiple addresses in From',
  about: {
    what: 'From is the address that your readers see. An email has one From header with one address.',
    why: 'Gmail refuses mail without a valid From address, or with several.',
    how: ['Write From as a name and one address at your domain.'],
    bad: 'From: Example Shop',
    good: 'From: Example Shop <shop@example.com>',
  },
  subject: ({ headers }) => headers,
  states: ({ fail, warn, pass }) => ({
    unusable: fail(30, 39).when(
      'missing, unparsable, more than one From header, or several authors without Sender',
      ({ from }) => from.fault !== null,
    ),
    several_authors: fail(10, REFUSED_IN_PART).when(
      'several authors and a Sender (Gmail refuses them), or a display name that reads as several authors because its comma is outside quotes',
      ({ from: { oddities } }) => oddities.some((one) => SEVERAL.includes(one)),
    ),
    odd_form: warn(6).when(
      'address in a comment, raw 8-bit, a domain without a dot or ending in one, an obsolete route, or a group',
      ({ from }) => from.oddities.length > 0,
    ),
    valid: pass('one valid mailbox'),
  }),
  detail: ({ from: { fault, oddities } }) => {
    const found = fault !== null ? [fault] : oddities;
    return found.length > 0
      ? `Found: ${found.map((id) => FROM_FAULTS[id] ?? formatId(id)).join(', ')}.`
      : 'One valid mailbox.';
  },
  evidence: ({ from: { fault, oddities } }) => ({ faults: fault !== null ? [fault] : oddities }),
  fix: {
    why: 'Receivers cannot tell who this email is from.',
    do: 'Write one From header with one address at {from_domain}.',
  },
  fixes: {
    several_fields: {
      why: 'The email has more than one From header, and receivers refuse such mail.',
      do: 'Send one.',
    },
    several_authors: {
      why: 'The From field names several authors and there is no Sender header. Gmail refuses several authors, with or without a Sender header.',
      do: 'Write one address.',
    },
    authors: {
      why: 'The From field names several authors, and Gmail refuses such mail.',
      do: 'Write one address.',
    },
    unquoted: {
      why: 'The display name in From contains a comma, colon or semicolon outside quotes, so receivers read parts of the name as addresses, and some refuse the email.',
      do: 'Put the display name in quotes, as in: "Doe, Jane" <jane@{from_domain}>',
    },
    comment_address: {
      why: "A comment in From contains an address, and readers may take it for the sender's.",
      do: 'Remove the comment.',
    },
    raw_8bit: {
      why: 'The display name in From contains unencoded non-ASCII letters.',
      do: 'Have your mail program encode it as UTF-8 (RFC 2047).',
    },
    raw_domain: {
      why: 'The domain of your From address contains non-ASCII letters, and servers that accept only ASCII addresses cannot read it.',
      do: 'Write the domain in From as {from_domain}.',
    },
    no_dot: {
      why: 'The domain of your From address has no dot, so nobody outside your network can reach it.',
      do: 'Use a full domain name.',
    },
    dot_at_end: {
      why: 'The domain of your From address ends in a dot, which many receivers refuse.',
      do: 'Write it as {from_domain}.',
    },
    route: {
      why: 'The From field contains an obsolete route before the address.',
      do: 'Write only the address between the angle brackets.',
    },
    group: {
      why: 'The From field names a group, and many receivers refuse that.',
      do: 'Write the address alone.',
    },
  },
  // The catalogue names its cases after the faults in the facts.
  cases: ({ from: { fault, oddities } }) => asSeen(...(fault !== null ? [fault] : oddities)),
  // If From names no domain, the fix mentions the envelope domain instead.
  values: (_, { names: { fromDomain, envelopeDomain } }) =>
    fromDomain === null && envelopeDomain !== '' && !isProviderDomain(envelopeDomain)
      ? { from_domain: envelopeDomain }
      : {},
});

/**
 * Returns `own` if the From domain is not one of a freemail provider. Otherwise returns `itself` if the
 * provider's domain is authenticated for this email, and `forged` if it is not.
 */
export function freemail(
  facts: Facts,
  { from }: HeaderFacts,
): LookupResult<'own' | 'itself' | 'forged'> {
  if (!from.freemail) return known('own');
  const { dmarc } = facts;
  if (dmarc.status === 'unknown') return dmarc;
  const { spfAligned, dkimAligned, decided } = dmarc.value;
  if (spfAligned || dkimAligned) return known('itself');
  return decided
    ? known('forged')
    : unknown('dns: alignment of a free email provider: not all answered');
}
