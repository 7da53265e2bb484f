/** Header facts of a perfect email, for tests. */

import type { FieldFacts } from '../../../src/analysis/headers/facts.ts';
import { DOMAIN } from '../names/facts.ts';

export const fields: FieldFacts = {
  from: {
    fault: null,
    count: 1,
    oddities: [],
    displayName: { present: true, hasDomain: false, faults: [] },
    freemail: false,
    noReply: false,
    idn: 'ascii',
  },
  duplicates: [],
  missing: [],
  mailer: null,
  hops: 1,
  eightBit: {
    found: false,
    smtputf8: false,
    raw: false,
    fields: [],
    domains: [],
    brokenEncodedWords: false,
    needlessWords: [],
  },
  date: {
    state: 'ok',
    instant: '2026-11-20T12:00:00.000Z',
    obsoleteZone: null,
    skewSeconds: -1,
    weekdayFault: null,
    shortHour: false,
  },
  messageId: { count: 1, syntaxOk: true, domain: DOMAIN, domainOdd: false, related: true },
  to: {
    present: true,
    toCount: 1,
    ccCount: 0,
    undisclosed: false,
    testAddressFound: true,
    testAddressInTo: true,
    sentElsewhere: false,
    forwarded: false,
    emptyElements: false,
    bcc: false,
  },
  subject: {
    state: 'ok',
    length: 20,
    allCapitals: false,
    exclamations: 0,
    falseReply: false,
    isForward: false,
    url: false,
    edgeSpaces: false,
  },
  replyTo: { state: 'absent', domain: null, freemail: false, sameOrganization: true },
  leaks: [],
};
