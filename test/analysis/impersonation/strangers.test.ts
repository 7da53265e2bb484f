/**
 * Tests that frauds are recognized and honest emails are not accused, with emails that were written before the
 * rules that judge them. The further ones are in Turkish, Russian, Japanese, Chinese, Korean, Arabic, Czech and
 * Swedish.
 */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { costsOf, reportOn } from '../mail/score-mail.ts';

/** Emails that were written before the rules that judge them: From, subject and body, separated by tabs. */
const emailsIn = (name: string) =>
  readFileSync(`test/analysis/impersonation/${name}.tsv`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [from = '', subject = '', body = ''] = line.split('\t');
      return {
        from: from.includes('<') ? from : `<${from}>`,
        subject,
        body: body.replaceAll('\\n', '\n'),
      };
    });

const ACCUSING = ['impersonation', 'spam_phrases', 'from_display_name', 'from_domain_lookalike'];

const accusedBy = (email: ReturnType<typeof emailsIn>[number]) => {
  const report = reportOn(email);
  const found = report.findings.filter(({ id, points = 0 }) => points > 0 && ACCUSING.includes(id));
  return { ids: found.map(({ id }) => id), costs: costsOf(report) };
};

test.each([...emailsIn('frauds'), ...emailsIn('further-frauds')])(
  'the fraud of $from, "$subject", is recognized',
  (email) => {
    const { ids, costs } = accusedBy(email);
    expect(ids, costs).not.toEqual([]);
  },
);

test.each([...emailsIn('honest'), ...emailsIn('further-honest')])(
  'the honest email of $from, "$subject", is not accused',
  (email) => {
    const { ids, costs } = accusedBy(email);
    expect(ids, costs).toEqual([]);
  },
);
