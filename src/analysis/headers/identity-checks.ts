import { defineCheck } from '../define-check.ts';
import type { Facts } from '../facts.ts';
import { formatId } from '../format.ts';
import { keepIf, known, type LookupResult, thenLookup, unknown } from '../lookup-result.ts';
import type { HeaderFacts } from '../mail-facts.ts';
import { isProviderDomain } from '../names/shared-pools.ts';

const FROM_FAULTS: Readonly<Record<string, string>> = {
  missing: 'no From header',
  several_fields: 'more than one From header',
  too_large: 'a From header too large to read',
  too_many_addresses: 'too many addresses to read',
  unparsable: 'an address that cannot be read',
  no_address: 'no address',
  several_authors: 'several authors and no Sender',
  authors: 'several authors; Gmail takes one',
  unquoted: 'a comma, colon or semicolon in the display name outside quotes',
  comment_address: 'an address in a comment',
  raw_8bit: 'raw non-ASCII text',
  no_dot: 'a domain without a dot',
  dot_at_end: 'a dot at the end of the domain',
  route: 'an obsolete route before the address',
  group: 'a group instead of an address',
};

/** What reads as several addresses. */
const SEVERAL: readonly string[] = ['authors', 'unquoted'];

export const fromHeader = defineCheck({
  id: 'from_header',
  subject: ({ headers }) => headers,
  ladder: [
    ['fail', ({ from }) => from.fault !== null],
    ['fail', ({ from: { oddities } }) => oddities.some((one) => SEVERAL.includes(one))],
    ['warn', ({ from }) => from.oddities.length > 0],
  ],
  detail: ({ from: { fault, oddities } }) => {
    const found = fault !== null ? [fault] : oddities;
    return found.length > 0
      ? `Found: ${found.map((id) => FROM_FAULTS[id] ?? formatId(id)).join(', ')}.`
      : 'One valid mailbox.';
  },
  // The faults are the cases of the catalogue.
  fixes: ({ from: { fault, oddities } }) => (fault !== null ? [fault] : oddities),
  // Where From names no domain, the envelope's is the best there is to say.
  values: (_, { names: { fromDomain, envelopeDomain } }) =>
    fromDomain === null && envelopeDomain !== '' && !isProviderDomain(envelopeDomain)
      ? { from_domain: envelopeDomain }
      : {},
});

/** The From header, when there is one to judge: `from_header` has said what is wrong with others. */
const withFrom = ({ headers }: Facts) => keepIf(headers, ({ from }) => from.fault === null);

/** What the display name holds, as a fix speaks of it. */
const UNWANTED: Readonly<Record<string, string>> = {
  address: 'the address',
  domain: 'the domain',
  direction_override: 'the direction override',
  zero_width: 'the zero-width characters',
};

export const fromDisplayName = defineCheck({
  id: 'from_display_name',
  subject: withFrom,
  ladder: [
    ['warn', ({ from }) => from.displayName.faults.length > 0],
    ['info', ({ from }) => !from.displayName.present],
  ],
  detail: ({ from: { displayName } }) => {
    if (displayName.faults.length > 0)
      return `It holds: ${displayName.faults.map(formatId).join(', ')}.`;
    return displayName.present ? 'Nothing odd.' : 'No display name, or only the address.';
  },
  values: ({ from: { displayName } }) => ({
    without: displayName.faults
      .map((fault) => `, without ${UNWANTED[fault] ?? formatId(fault)}`)
      .join(''),
  }),
});

/** Whether the freemail provider sent the mail itself: then its own domain is authenticated. */
function freemail(facts: Facts, { from }: HeaderFacts): LookupResult<'own' | 'itself' | 'forged'> {
  if (!from.freemail) return known('own');
  const { dmarc } = facts;
  if (dmarc.status === 'unknown') return dmarc;
  const { spfAligned, dkimAligned, decided } = dmarc.value;
  if (spfAligned || dkimAligned) return known('itself');
  return decided
    ? known('forged')
    : unknown('dns: alignment of a freemail domain: not all answered');
}

export const fromDomainFreemail = defineCheck({
  id: 'from_domain_freemail',
  subject: (facts) => {
    const from = withFrom(facts);
    return from && thenLookup(from, (value) => freemail(facts, value));
  },
  ladder: [
    ['fail', (state) => state === 'forged'],
    ['info', (state) => state === 'itself'],
  ],
  fixes: (state) => (state === 'itself' ? ['itself'] : []),
  detail: (state, { names: { fromDomain } }) =>
    state === 'own'
      ? `${fromDomain} is not a free mail provider's domain.`
      : `${fromDomain} is a free mail provider's domain; the mail was ${state === 'itself' ? '' : 'not '}sent by it.`,
});

export const fromDomainLookalike = defineCheck({
  id: 'from_domain_lookalike',
  subject: withFrom,
  ladder: [
    ['warn', ({ from }) => from.idn === 'suspicious'],
    ['info', ({ from }) => from.idn === 'single_script'],
  ],
  detail: ({ from: { idn } }, { names: { fromDomain } }) => `${fromDomain} is ${LETTERS[idn]}.`,
});

const LETTERS: Readonly<Record<HeaderFacts['from']['idn'], string>> = {
  ascii: 'ASCII',
  single_script: 'an internationalized name in one script',
  suspicious: 'a name of mixed or look-alike letters',
};

export const replyTo = defineCheck({
  id: 'reply_to',
  subject: ({ headers }) => headers,
  ladder: [
    [
      'warn',
      ({ replyTo: { state, freemail }, from }) =>
        state === 'unparsable' || (state === 'ok' && freemail && !from.freemail),
    ],
    [
      'info',
      ({ replyTo: { state, sameOrganization }, from }) =>
        state === 'absent' ? from.noReply : !sameOrganization,
    ],
  ],
  detail: ({ replyTo: { state }, report, from }) => {
    if (state === 'absent')
      return `No Reply-To${from.noReply ? ', and From is a no-reply address' : ''}.`;
    return state === 'ok'
      ? `Replies go to ${report.reply_to_domain ?? 'its domain'}.`
      : 'It cannot be read.';
  },
  fixes: ({ replyTo: { state, freemail } }) => {
    if (state !== 'ok') return [state === 'absent' ? 'nobody' : 'unparsable'];
    return freemail ? ['freemail'] : [];
  },
  values: ({ report }) => ({ reply_domain: report.reply_to_domain ?? 'another domain' }),
});
