/**
 * Tests what the receiver replies at RCPT and at the end of data, for each address and each state of a test.
 */

import { describe, expect, test } from 'vitest';
import {
  decideAddress,
  decideContent,
  decideRecipient,
} from '../../src/actors/receiver/decisions.ts';
import type { TestEvent } from '../../src/domain/events.ts';
import { fold } from '../../src/projection/fold.ts';
import { type Row, toRow } from '../../src/projection/row.ts';
import { anEvent } from '../support/log/events.ts';
import { T0, TEST_ID } from '../support/process/instants.ts';

const settings = { mailDomain: 'in.example.net', contactEmail: 'help@example.net' };
const nameOf = (answer: object) => ('reply' in answer ? answer.reply : answer);

describe('the address', () => {
  test.each([
    [TEST_ID, 'in.example.net', { testId: TEST_ID }],
    [TEST_ID.toUpperCase(), 'in.example.net', { testId: TEST_ID }],
    [`${TEST_ID}+tag`, 'in.example.net', 'unknown_address'],
    [`"${TEST_ID}"`, 'in.example.net', { testId: TEST_ID }],
    [`"\\${TEST_ID.slice(0, 1)}\\${TEST_ID.slice(1)}"`, 'in.example.net', { testId: TEST_ID }],
    [`"${TEST_ID}`, 'in.example.net', 'unknown_address'],
    [`"${TEST_ID} "`, 'in.example.net', 'unknown_address'],
    ['"Postmaster"', 'in.example.net', 'write_to_contact'],
    [TEST_ID.slice(1), 'in.example.net', 'unknown_address'],
    [`${TEST_ID}a`, 'in.example.net', 'unknown_address'],
    ['abcdefgh2341', 'in.example.net', 'unknown_address'],
    // U+212A becomes "k" in lower case.
    ['\u212abcdefgh234', 'in.example.net', 'unknown_address'],
    ['samplereport', 'in.example.net', 'unknown_address'],
    ['SampleReport', 'in.example.net', 'unknown_address'],
    [TEST_ID, 'example.net', 'relaying'],
    [TEST_ID, 'sub.in.example.net', 'relaying'],
    [TEST_ID, '[192.0.2.1]', 'relaying'],
    [TEST_ID, '', 'relaying'],
    ['postmaster', 'example.net', 'relaying'],
    ['postmaster', 'in.example.net', 'write_to_contact'],
    ['Postmaster', '', 'write_to_contact'],
    ['ABUSE', 'in.example.net', 'write_to_contact'],
    ['abuse', '', 'write_to_contact'],
    ['webmaster', 'in.example.net', 'unknown_address'],
  ])('%s at "%s" is %o', (localPart, domain, expected) => {
    expect(nameOf(decideAddress({ localPart, domain }, settings))).toEqual(expected);
  });

  test('without a contact, postmaster is an unknown address, but does not count as a guess', () => {
    const to = { localPart: 'postmaster', domain: 'in.example.net' };
    expect(nameOf(decideAddress(to, { ...settings, contactEmail: null }))).toBe(
      'nobody_to_write_to',
    );
  });
});

const row = (...events: TestEvent[]): Row => {
  const made = toRow(fold([anEvent('TestCreated'), ...events]), 3);
  if (!made) throw new Error('The fixture is no live test.');
  return made;
};

const arrived = anEvent('MailArrived', 60);
const timedOut = (attempt: number) => [
  anEvent('MailArrived', 60, { attempt }),
  anEvent('AnalysisTimeout', 120, { attempt }),
];
const ours = 'd'.repeat(64);
const other = 'e'.repeat(64);

/** Seconds after the creation, the state, and the replies at RCPT and at the end of data. */
describe.each<[string, number, Row, string, string, string]>([
  ['open', 0, row(), 'open', 'gate', 'gate'],
  ['open, the last millisecond', 3599.999, row(), 'open', 'gate', 'gate'],
  ['open, the window over', 3600, row(), 'closed', 'closed', 'closed'],
  ['refused once', 100, row(anEvent('MailRefused', 60)), 'open', 'gate', 'gate'],
  [
    'refused, the window over',
    3600,
    row(anEvent('MailRefused', 3500)),
    'closed',
    'closed',
    'closed',
  ],
  ['processing', 61, row(arrived), 'analysing', 'analysing', 'analysing'],
  ['timed out once', 121, row(...timedOut(1)), 'open', 'gate', 'gate'],
  ['ready', 70, row(arrived, anEvent('AnalysisDone', 61)), 'compare', 'repeated', 'used'],
  [
    'ready, the window over',
    9999,
    row(arrived, anEvent('AnalysisDone', 61)),
    'compare',
    'repeated',
    'used',
  ],
  ['failed', 70, row(arrived, anEvent('AnalysisFailed', 61)), 'compare', 'failed', 'used'],
  ['timed out three times', 200, row(...[1, 2, 3].flatMap(timedOut)), 'compare', 'failed', 'used'],
  ['window closed', 4000, row(anEvent('WindowClosed', 3600)), 'closed', 'closed', 'closed'],
  [
    'refusal timed out',
    1000,
    row(anEvent('MailRefused', 60), anEvent('RefusalTimeout', 960)),
    'closed',
    'closed',
    'closed',
  ],
])('a test that is %s', (_, seconds, test_, recipient, same, different) => {
  const now = T0 + seconds * 1000;
  const word = (answer: string | object) => (typeof answer === 'string' ? answer : nameOf(answer));

  test(`replies ${recipient} at RCPT`, () => {
    expect(word(decideRecipient(test_, now))).toBe(recipient);
  });
  test(`replies ${same} to the email that it knows`, () => {
    expect(word(decideContent(test_, ours, now))).toBe(same);
  });
  test(`replies ${different} to another email`, () => {
    expect(word(decideContent(test_, other, now))).toBe(different);
  });
});

test('a test deleted in the meantime is an unknown address', () => {
  expect(decideContent(undefined, ours, T0)).toMatchObject({ reply: 'unknown_address' });
});
