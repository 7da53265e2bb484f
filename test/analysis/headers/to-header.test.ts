/** Tests the checks on the To field. */

import { expect, test } from 'vitest';
import { makeReport } from '../../../src/analysis/report.ts';
import { facts } from '../../support/mail/facts.ts';
import { mail, read } from '../mail/mails.ts';

const severityFor = (fields: Readonly<Record<string, string>>) => {
  const { headers } = read(mail({ To: 'someone@elsewhere.example', ...fields }, 'Hello'));
  const all = facts({ headers: { value: headers } });
  return makeReport(all, '2026-11-20T12:00:02.000Z').findings.find(({ id }) => id === 'to_header')
    ?.severity;
};

test('an email to somebody else leads to a warning', () => {
  expect(severityFor({})).toBe('warn');
});

test.each<[string, Readonly<Record<string, string>>]>([
  ['Mailman', { 'List-Id': 'Talk <talk.list.example>', 'List-Post': '<mailto:talk@list.example>' }],
  [
    'Google Groups',
    {
      'List-ID': '<talk.list.example>',
      'List-Post':
        '<https://groups.google.com/a/list.example/group/talk/post>, <mailto:talk@list.example>',
      'X-Google-Group-Id': '12345',
      'Mailing-list': 'list talk@list.example; contact talk+owners@list.example',
    },
  ],
  [
    'Sympa',
    {
      'List-Id': '<talk.list.example>',
      'List-Post': '<mailto:talk@list.example>',
      'X-Loop': 'talk@list.example',
      Precedence: 'list',
    },
  ],
])('a post to a list of %s is addressed to the list, which is correct', (_, fields) => {
  expect(severityFor({ To: 'talk@list.example', Subject: '[talk] Hello', ...fields })).toBe('pass');
});

test.each([
  [
    'Gmail forwards',
    { 'X-Forwarded-To': 'a@b.example', 'X-Forwarded-For': 'c@d.example a@b.example' },
  ],
  ['somebody resends', { 'Resent-From': 'c@d.example', 'Resent-To': 'a@b.example' }],
])('an email that %s keeps its original To', (_, fields) => {
  expect(severityFor(fields)).toBe('pass');
});
