import type { DkimFact, DkimFacts } from './facts.ts';

/** Neither passed nor failed: its key did not answer, or an input limit kept it from being read. */
export const isUndecided = ({ report }: DkimFact): boolean =>
  report.result === 'temperror' || report.reason === 'not_evaluated';

export const passes = ({ report }: DkimFact): boolean => report.result === 'pass';

const rank = ({ report }: DkimFact) =>
  2 * Number(report.result !== 'pass') + Number(!report.aligned);

/** The signature that ladders judge: aligned and passing, else passing, else aligned, else the first. */
export const bestSignature = ({ signatures }: DkimFacts): DkimFact | undefined =>
  [...signatures].sort((a, b) => rank(a) - rank(b))[0];

/** Where its key is published. */
export const keyName = ({ report }: DkimFact): string =>
  `${report.selector}._domainkey.${report.domain}`;

/** Why nothing can be said of a signature, as a line of `partial_errors`. */
export const whyUndecided = (one: DkimFact): string =>
  one.report.reason === 'not_evaluated'
    ? `dkim: signature of ${one.report.domain} not evaluated: input limit`
    : `dns: TXT ${keyName(one)}: no answer`;

/** One signature in words. */
export const inWords = ({ report, fault }: DkimFact): string => {
  const why = [report.reason?.replaceAll('_', ' '), fault].filter(Boolean).join(': ');
  return `${report.domain} (selector ${report.selector}): ${report.result}${why ? `, ${why}` : ''}`;
};
