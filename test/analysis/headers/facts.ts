import type { FieldFacts } from '../../../src/analysis/headers/facts.ts';
import { DOMAIN } from '../names/facts.ts';

export const fields: FieldFacts = {
  from: {
    fault: null,
    oddities: [],
    displayName: { present: true, faults: [] },
    freemail: false,
    noReply: false,
    idn: 'ascii',
  },
  duplicates: [],
  eightBit: { raw: false, fields: [], brokenEncodedWords: false, needlessWords: [] },
  date: { state: 'ok', obsoleteZone: null, skewSeconds: -1, weekdayFault: null },
  messageId: { count: 1, syntaxOk: true, domain: DOMAIN, domainOdd: false, related: true },
  to: {
    present: true,
    undisclosed: false,
    testAddressFound: true,
    sentElsewhere: false,
    forwarded: false,
  },
  subject: {
    state: 'ok',
    length: 20,
    allCapitals: false,
    exclamations: 0,
    falseReply: false,
    url: false,
    edgeSpaces: false,
  },
  replyTo: { state: 'absent', freemail: false, sameOrganization: true },
  leaks: [],
};
