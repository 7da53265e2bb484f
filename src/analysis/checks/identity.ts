import { defineCheck } from '../define-check.ts';
import { type Facts, known, type Looked, unknown } from '../facts.ts';
import { thenLooked } from '../looked.ts';
import type { HeaderFacts } from '../mail-facts.ts';

const words = (id: string) => id.replaceAll('_', ' ');

/** The From header, when there is one to judge: `from_header` has said what is wrong with others. */
const withFrom = ({ headers }: Facts) =>
  thenLooked<HeaderFacts, HeaderFacts>(headers, (value) =>
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
      return `It holds: ${displayName.faults.map(words).join(', ')}.`;
    return displayName.present ? 'Nothing odd.' : 'No display name.';
  },
  values: ({ from: { displayName } }) => ({
    without: displayName.faults
      .map((fault) => `, without ${UNWANTED[fault] ?? words(fault)}`)
      .join(''),
  }),
});

/** Whether the freemail provider sent the mail itself: then its own domain is authenticated. */
function freemail(facts: Facts, { from }: HeaderFacts): Looked<'own' | 'itself' | 'forged'> {
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
    return from && thenLooked(from, (value) => freemail(facts, value));
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
  detail: ({ from: { idn } }, { names: { fromDomain } }) => `${fromDomain}: ${words(idn)}.`,
});

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
});

/** Proposed only where it changes nothing else: a `List-Id` would turn other mail into bulk. */
const markerFor = ({ bulk }: HeaderFacts, domain: string): string => {
  if (bulk.isBulk && !bulk.hasListIdOrFeedbackId) return `List-Id: <news.${domain}>`;
  if (bulk.automated && !bulk.hasAutoSubmitted) return 'Auto-Submitted: auto-generated';
  return bulk.isBulk ? 'Precedence: bulk' : 'Auto-Submitted: auto-generated';
};

export const bulkMarkers = defineCheck({
  id: 'bulk_markers',
  subject: ({ headers }) => headers,
  ladder: [
    [
      'info',
      ({ bulk }) =>
        (bulk.automated && !bulk.hasAutoSubmitted) ||
        (bulk.isBulk && !bulk.hasListIdOrFeedbackId) ||
        bulk.oddPrecedence,
    ],
  ],
  detail: ({ bulk }) =>
    bulk.oddPrecedence
      ? 'Precedence has an odd value.'
      : bulk.isBulk
        ? `Bulk mail, ${bulk.hasListIdOrFeedbackId ? 'marked' : 'without List-Id and Feedback-ID'}.`
        : bulk.automated
          ? `Automated mail, ${bulk.hasAutoSubmitted ? 'marked' : 'without Auto-Submitted'}.`
          : 'No marker needed.',
  values: (headers, { names }) => ({
    header_line: markerFor(headers, names.fromDomain ?? 'YOUR.DOMAIN'),
  }),
});

export const internalHeadersLeak = defineCheck({
  id: 'internal_headers_leak',
  subject: ({ headers }) => headers,
  ladder: [['info', ({ leaks }) => leaks.length > 0]],
  detail: ({ leaks }) => (leaks.length > 0 ? `Found: ${leaks.join(', ')}.` : 'None found.'),
  values: ({ leaks }) => ({ header: leaks.join(', ') }),
});
