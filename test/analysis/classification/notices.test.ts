import { expect, test } from 'vitest';
import { costsOf, readWritten, reportOn } from '../mail/score-mail.ts';
import { notices } from './notices.ts';

test.each(notices)('$about loses nothing for a missing way out', (notice) => {
  const { headers } = readWritten(notice);
  const report = reportOn(notice);
  const { evidence, confidence } = headers.classification;
  expect(headers.bulk.isBulk, `${confidence}: ${evidence.join('; ')}`).toBe(false);
  expect(report.grade, costsOf(report)).toBe('A');
});

test('a report says what a mail was taken for, how surely, and why', () => {
  const offer = {
    from: 'Nordlicht <news@nordlicht.com>',
    subject: 'Boots: 30% off',
    body: 'Until Friday. Shop now: https://www.nordlicht.com/boots\n\nUnsubscribe: https://www.nordlicht.com/u',
  };
  const detailOf = (mail: typeof offer) =>
    reportOn(mail).findings.find(({ id }) => id === 'list_unsubscribe')?.detail;
  expect(detailOf(offer)).toMatch(
    /^Taken for marketing \(confidence 0\.\d+: words of an offer in the subject; .*\), which is bulk mail; the header is absent\.$/,
  );
  expect(
    detailOf({ ...offer, subject: 'Notes', body: 'Unsubscribe: https://a.nordlicht.com/' }),
  ).toMatch(
    /^Taken for marketing \(confidence 0\.6: .*\), too little to ask anything of it; the header is absent\.$/,
  );
});
