/** Tests which change of a record lets the sender pass, and that it admits nobody whom the owner rejects. */

import { expect, test } from 'vitest';
import { letSenderIn } from '../../../src/analysis/spf/admission.ts';
import type { SpfTrial } from '../../../src/analysis/spf/facts.ts';
import { parseSpf } from '../../../src/analysis/spf/parse.ts';
import { holderOf } from '../../../src/analysis/spf/sender-term.ts';
import { facts } from '../../support/mail/facts.ts';

const IP = '192.0.2.25';

/** Evaluates a record whose `include:` terms never match. */
function tryRecord(record: string): SpfTrial {
  const holds = holderOf(IP);
  let lookups = 0;
  const trial = (result: SpfTrial['result'], matchedTerm: string | null): SpfTrial => ({
    ...{ result, matchedTerm, lookups, tree: [] },
  });
  for (const term of parseSpf(record)) {
    if (term.name === 'include') lookups += 1;
    if (lookups > 10) return trial('permerror', null);
    if (holds(term) || term.name === 'all')
      return trial(term.qualifier === '+' ? 'pass' : 'fail', term.text);
  }
  return trial('neutral', null);
}

function admit(record: string) {
  const planning = letSenderIn(facts(), record, tryRecord(record));
  let step = planning.next();
  while (!step.done) step = planning.next(tryRecord(step.value));
  return step.value;
}

const INCLUDES = Array.from({ length: 11 }, (_, i) => `include:p${i}.example`).join(' ');

test.each([
  // A term of the owner's that is not reached is moved.
  [`v=spf1 ${INCLUDES} ip4:192.0.2.0/24 -all`, `v=spf1 ip4:192.0.2.0/24 ${INCLUDES} -all`],
  [`v=spf1 ~ip4:192.0.2.0/24 ip4:${IP} -all`, `v=spf1 ip4:${IP} ~ip4:192.0.2.0/24 -all`],
  [
    `v=spf1 -ip4:192.0.2.9 ${INCLUDES} ip4:192.0.2.0/24 -all`,
    `v=spf1 -ip4:192.0.2.9 ip4:192.0.2.0/24 ${INCLUDES} -all`,
  ],
  // It stays behind those that reject a part of it, and the sender alone is added.
  [
    `v=spf1 ${INCLUDES} -ip4:192.0.2.9 ip4:192.0.2.0/24 -all`,
    `v=spf1 ip4:${IP} ${INCLUDES} -ip4:192.0.2.9 ip4:192.0.2.0/24 -all`,
  ],
])('%s becomes %s', (record, expected) => {
  expect(admit(record)).toEqual({ record: expected, doubt: null, admitting: null });
});

test('a sender that the record rejects by name is asked about', () => {
  expect(admit(`v=spf1 -ip4:${IP} ip4:192.0.2.0/24 -all`)).toMatchObject({
    record: `v=spf1 -ip4:${IP} ip4:192.0.2.0/24 -all`,
    doubt: `Your record refuses it with -ip4:${IP}.`,
  });
});
