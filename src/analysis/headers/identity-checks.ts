import { defineCheck } from '../define-check.ts';
import { type Facts, known, type LookupResult, unknown } from '../facts.ts';
import { formatId, formatList } from '../format.ts';
import { thenLookup } from '../lookup-result.ts';
import type { HeaderFacts } from '../mail-facts.ts';

/** The From header, when there is one to judge: `from_header` has said what is wrong with others. */
const withFrom = ({ headers }: Facts) =>
  thenLookup<HeaderFacts, HeaderFacts>(headers, (value) =>
    value.from.fault === null ? known(value) : undefined,
  );

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
  detail: (state, { names: { fromDomain } }) =>
    state === 'own'
      ? `${fromDomain} is no freemail domain.`
      : `${fromDomain} is a freemail domain; the mail was ${state === 'itself' ? '' : 'not '}sent by it.`,
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
  fixes: ({ replyTo: { state } }) => (state === 'unparsable' ? ['unparsable'] : []),
});

const lacksListId = ({ bulk }: HeaderFacts) => bulk.isBulk && !bulk.hasListIdOrFeedbackId;
const lacksAutoSubmitted = ({ bulk }: HeaderFacts) => bulk.automated && !bulk.hasAutoSubmitted;

/** Proposed only where it changes nothing else: a `List-Id` would turn other mail into bulk. */
const missingMarkers = (headers: HeaderFacts, domain: string): readonly string[] => [
  ...(lacksListId(headers) ? [`List-Id: <news.${domain}>`] : []),
  ...(lacksAutoSubmitted(headers) ? ['Auto-Submitted: auto-generated'] : []),
];

export const bulkMarkers = defineCheck({
  id: 'bulk_markers',
  subject: ({ headers }) => headers,
  ladder: [
    [
      'info',
      (headers) =>
        lacksAutoSubmitted(headers) || lacksListId(headers) || headers.bulk.oddPrecedence,
    ],
  ],
  detail: ({ bulk }) => {
    const said = [
      bulk.isBulk &&
        `bulk mail, ${bulk.hasListIdOrFeedbackId ? 'marked' : 'without List-Id and Feedback-ID'}`,
      bulk.automated &&
        `automated mail, ${bulk.hasAutoSubmitted ? 'marked' : 'without Auto-Submitted'}`,
      bulk.oddPrecedence && 'Precedence has an odd value',
    ].filter((text) => text !== false);
    return said.length > 0 ? `Found: ${said.join('; ')}.` : 'No marker needed.';
  },
  fixes: (headers) => [
    ...(lacksListId(headers) || lacksAutoSubmitted(headers) ? ['fix'] : []),
    ...(headers.bulk.oddPrecedence ? ['precedence'] : []),
  ],
  values: (headers, { names }) => ({
    header_line: formatList(missingMarkers(headers, names.fromDomain ?? 'YOUR.DOMAIN')),
  }),
});

export const internalHeadersLeak = defineCheck({
  id: 'internal_headers_leak',
  subject: ({ headers }) => headers,
  ladder: [['info', ({ leaks }) => leaks.length > 0]],
  detail: ({ leaks }) => (leaks.length > 0 ? `Found: ${leaks.join(', ')}.` : 'None found.'),
  fixes: ({ leaks }) => [
    ...(leaks.some((name) => name !== 'Received') ? ['headers'] : []),
    ...(leaks.includes('Received') ? ['received'] : []),
  ],
  values: ({ leaks }) => ({ header: formatList(leaks.filter((name) => name !== 'Received')) }),
});
