/** Defines the checks on the To and Subject fields. */

import { handedOn } from '../advice/whose-server.ts';
import { check } from '../check.ts';
import { whichHold } from '../definition.ts';
import type { HeaderFacts } from '../facts.ts';
import { mapLookup } from '../lookup-result.ts';
import { MIN_CAPITALS } from './subject.ts';

/** Maximum length of a subject that most message lists show in full, in characters. */
const LONG_SUBJECT = 70;

/** Number of exclamation marks from which a subject reads as shouting. */
const MANY_EXCLAMATIONS = 3;

/**
 * Returns whether To or Cc names the address to which the email was sent. An email from a list or a forwarder
 * also counts, because these rightly keep the original address.
 */
const isAddressed = (to: HeaderFacts['to'], classification: HeaderFacts['classification']) =>
  to.present &&
  !to.undisclosed &&
  (to.testAddressFound || classification.class === 'discussion_list' || to.forwarded);

export const toHeader = check({
  id: 'to_header',
  family: 'headers',
  title: 'To header',
  header: 'To',
  source: 'RFC 5322 §3.6.3; SpamAssassin MISSING_HEADERS',
  about: {
    what: 'To names the recipient of the email.',
    why: 'Mail to a hidden list of recipients looks like spam.',
    how: ['Send a separate email to each recipient, with their address in To.'],
    bad: 'To: undisclosed-recipients:;',
    good: 'To: ada@customer.example',
  },
  subject: ({ headers }) => headers,
  states: ({ warn, pass }) => ({
    not_addressed: warn(3).when(
      'no To and no Cc, undisclosed-recipients, or the test address in neither',
      ({ to, classification }) => !isAddressed(to, classification),
    ),
    bcc_left: warn(3).when(
      'a Bcc field that names somebody besides the test address',
      ({ to }) => to.bcc,
    ),
    empty_element: warn(2).when(
      'a comma in To or Cc without an address before or after it, such as a trailing comma',
      ({ to }) => to.emptyElements,
    ),
    addressed: pass('present'),
  }),
  detail: ({ to }) => {
    if (!to.present) return 'There is neither a To nor a Cc header.';
    if (to.undisclosed) return 'The recipients are undisclosed.';
    if (to.bcc) return 'The email still contains its Bcc field.';
    if (to.emptyElements) return 'To or Cc has a comma without an address.';
    if (to.testAddressFound) return 'The test address is in To or Cc.';
    return `The test address is in neither To nor Cc${to.forwarded ? '; the email was forwarded' : ''}.`;
  },
  evidence: ({ to }) => ({
    present: to.present,
    undisclosed: to.undisclosed,
    test_address_found: to.testAddressFound,
    forwarded: to.forwarded,
    bcc: to.bcc,
    empty_element: to.emptyElements,
  }),
  others: ({ to, classification }, facts) =>
    isAddressed(to, classification) ? undefined : handedOn(facts, 'kept the original To field'),
  fix: {
    why: 'The address this email went to is in neither To nor Cc, as in mail to a hidden list of recipients.',
    do: "Put each recipient's address in To. An address in Bcc does not count, and that header must be removed before sending.",
  },
  fixes: {
    bcc: {
      why: 'The email still contains its Bcc field, so every reader sees the addresses that were meant to be hidden (RFC 5322 §3.6.3).',
      do: 'Remove Bcc before sending. Mail libraries and servers remove it themselves if you pass them the addresses as recipients.',
    },
    empty_element: {
      why: 'To or Cc contains a comma without an address, an obsolete form that some servers reject (RFC 5322 §4.4).',
      do: 'Remove the comma. It often comes from an empty value in a list of recipients.',
    },
  },
  cases: ({ to, classification }) =>
    isAddressed(to, classification)
      ? whichHold({ bcc: to.bcc, empty_element: to.emptyElements })
      : [],
});

export const subjectHeader = check({
  id: 'subject_header',
  family: 'headers',
  title: 'Subject',
  header: 'Subject',
  source:
    'RFC 5322 §3.6.5; Gmail: no misleading subjects; SpamAssassin SUBJ_ALL_CAPS; rspamd URL_IN_SUBJECT',
  about: {
    what: 'The subject is the first thing readers and filters see.',
    why: 'Capitals, many exclamation marks and a false “Re:” are typical of spam.',
    how: ['Say in one plain sentence what the email is about.'],
    bad: 'Subject: RE: FREE!!! OPEN NOW',
    good: 'Subject: Your order 1042 is on its way',
  },
  // People forward emails without a References field. Only in bulk mail is such a subject false.
  subject: ({ headers }) =>
    mapLookup(headers, ({ subject, bulk }) => ({
      subject: {
        ...subject,
        falseReply: subject.falseReply || (subject.isForward && bulk.isBulk),
      },
    })),
  states: ({ warn, suggest, pass }) => ({
    empty: warn(4).when('missing or empty', ({ subject }) => subject.state !== 'ok'),
    shouting: warn(2).when(
      `all capitals (${MIN_CAPITALS} letters or more), ${MANY_EXCLAMATIONS} or more "!", Re: without References, Fwd: in bulk mail, or a URL`,
      ({ subject: { allCapitals, exclamations, falseReply, url } }) =>
        allCapitals || exclamations >= MANY_EXCLAMATIONS || falseReply || url,
    ),
    long: suggest.when(
      `> ${LONG_SUBJECT} characters, or leading/trailing spaces`,
      ({ subject: { length, edgeSpaces } }) => length > LONG_SUBJECT || edgeSpaces,
    ),
    fine: pass('ok'),
  }),
  detail: ({ subject }) => {
    if (subject.state !== 'ok') return `The subject is ${subject.state}.`;
    const found = [
      subject.allCapitals ? 'all capitals' : '',
      subject.exclamations >= MANY_EXCLAMATIONS ? `${subject.exclamations} "!"` : '',
      subject.falseReply ? 'Re: or Fwd: without References' : '',
      subject.url ? 'a URL in it' : '',
      subject.edgeSpaces ? 'spaces at the beginning or end' : '',
    ].filter(Boolean);
    return `${[`${subject.length} characters`, ...found].join(', ')}.`;
  },
  evidence: ({ subject }) => ({
    state: subject.state,
    length: subject.length,
    all_capitals: subject.allCapitals,
    exclamations: subject.exclamations,
    false_reply: subject.falseReply,
    url: subject.url,
    edge_spaces: subject.edgeSpaces,
  }),
  fix: {
    why: 'Readers and filters judge an email by its subject.',
    do: 'Write a plain subject in sentence case.',
  },
  fixes: {
    missing: { why: 'The email has no subject.', do: 'Write a subject of a few words.' },
    capitals: {
      why: 'The subject is all in capitals, which reads as shouting.',
      do: 'Write it in sentence case.',
    },
    exclamations: {
      why: `The subject has ${MANY_EXCLAMATIONS} or more exclamation marks.`,
      do: 'Use fewer.',
    },
    false_reply: {
      why: 'The subject begins like that of a reply or a forwarded email, but the email is neither.',
      do: 'Remove "Re:" or "Fwd:", or add a References header that names the other email.',
    },
    url: { why: 'The subject contains a URL.', do: 'Move it to the body.' },
    long: {
      why: 'The subject has {n} characters and is cut off in most inboxes.',
      do: `Shorten it to at most ${LONG_SUBJECT} characters.`,
    },
    spaces: { why: 'The subject begins or ends with white space.', do: 'Remove it.' },
  },
  cases: ({ subject }) =>
    whichHold({
      missing: subject.state !== 'ok',
      capitals: subject.allCapitals,
      exclamations: subject.exclamations >= MANY_EXCLAMATIONS,
      false_reply: subject.falseReply,
      url: subject.url,
      long: subject.length > LONG_SUBJECT,
      spaces: subject.edgeSpaces,
    }),
  values: ({ subject: { length } }) => ({ n: length }),
});
