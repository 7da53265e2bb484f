/**
 * Provides what the checks need from the DKIM results of an email: which signature to judge, whether it
 * passed or is undecided, its key's name, type and corrected record, and its wording.
 */

import { correctKeyRecord } from './correct-key.ts';
import type { DkimFact, DkimFacts } from './facts.ts';
import { readDkimKey } from './key.ts';

/**
 * Returns whether a signature neither passed nor failed, because its key lookup was not answered or an input
 * limit prevented its evaluation.
 */
export const isUndecided = ({ report }: DkimFact): boolean =>
  report.result === 'temperror' || report.reason === 'not_evaluated';

export const passes = ({ report }: DkimFact): boolean => report.result === 'pass';

const rank = ({ report }: DkimFact) =>
  2 * Number(report.result !== 'pass') + Number(!report.aligned);

/**
 * Returns the signature that the checks judge. A signature that passes and is aligned comes first, then one
 * that passes, then one that is aligned, then the first in the email.
 */
export const bestSignature = ({ signatures }: DkimFacts): DkimFact | undefined =>
  [...signatures].sort((a, b) => rank(a) - rank(b))[0];

/** Returns the DNS name at which a signature's key is published. */
export const keyName = ({ report }: DkimFact): string =>
  `${report.selector}._domainkey.${report.domain}`;

/** Returns the reason why a signature could not be judged, as a line for `partial_errors`. */
export const whyUndecided = (one: DkimFact): string =>
  one.report.reason === 'not_evaluated'
    ? `dkim: signature of ${one.report.domain} not evaluated: input limit`
    : `dns: TXT ${keyName(one)}: no answer`;

/** Returns the type of a signature's key, which is RSA unless the signature or the key says otherwise. */
export const keyTypeOf = ({ report }: DkimFact): 'rsa' | 'ed25519' =>
  report.algorithm?.startsWith('ed25519') || report.key?.type === 'ed25519' ? 'ed25519' : 'rsa';

/**
 * Returns the corrected key record, after parsing it again as a proof. Returns null if only the signer has
 * the key, or if the corrected record would still be faulty.
 */
export const correctedKey = (one: DkimFact): string | null => {
  const { key } = one.tried ?? {};
  const corrected =
    (key?.name === keyName(one) ? correctKeyRecord(key.record) : null) ??
    one.keyFaults.find((fault) => fault.corrected !== null)?.corrected ??
    (one.report.key?.record ? correctKeyRecord(one.report.key.record) : null);
  if (corrected === null) return null;
  const { faults } = readDkimKey(keyName(one), [corrected], []);
  return faults.some(({ severity }) => severity === 'fail') ? null : corrected;
};

/** Formats the result of one signature as words. */
export const formatSignature = ({ report, fault }: DkimFact): string => {
  const why = [report.reason?.replaceAll('_', ' '), fault].filter(Boolean).join(': ');
  return `${report.domain} (selector ${report.selector}): ${report.result}${why ? `, ${why}` : ''}`;
};

/** Formats the name of a header field in its usual capitalization. */
export const formatHeader = (name: string): string =>
  name === 'other'
    ? 'the header that was added after signing'
    : name.replace(/[a-z]+/g, (word) =>
        ['id', 'mime'].includes(word)
          ? word.toUpperCase()
          : `${word[0]?.toUpperCase()}${word.slice(1)}`,
      );
