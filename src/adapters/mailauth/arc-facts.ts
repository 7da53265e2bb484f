/**
 * Turns what mailauth says about an ARC chain, and the verdicts in the chain's own Authentication-Results,
 * into the facts of the report.
 */

import type { ARCChainEntry, ARCResult } from 'mailauth';
import type { AuthenticationPart } from '../../ports/reading.ts';
import { toALabels } from './a-labels.ts';

/** Maximum number of ARC sets in a report: RFC 8617 §4.2.1 allows no more. */
const MAX_SETS = 50;

const MAX_SELECTOR = 255;

/** Our own words for the faults of a chain that the library reports, because its texts quote the header. */
const FAULTS: readonly (readonly [start: RegExp, words: string])[] = [
  [/seal signature validation failed/, 'a seal does not verify'],
  [/no valid signature/, 'the newest message signature does not verify'],
  [/cv=/, 'a cv= value does not match its place in the chain'],
  [/expected=|instance/, 'an instance is missing or out of order'],
  [/no arc-.* set|multiple arc-/, 'a set is not complete'],
  [/^no key|key/, 'a key cannot be used'],
];

/**
 * Returns the facts about a chain as it arrived, or `unknown` if a key could not be looked up.
 *
 * @param silent names of keys that could not be looked up
 */
export function toArcFacts(
  result: ARCResult,
  chain: readonly ARCChainEntry[],
  silent: readonly string[],
): AuthenticationPart['arc'] {
  const { status } = result;
  const comment = typeof status.comment === 'string' ? status.comment : '';
  const word = status.result === 'pass' || status.result === 'none' ? status.result : 'fail';
  const sealer = nameOf(chain.at(-1), 'd');
  // The library calls every failure permanent. A failure without a comment is a DNS error.
  if (word === 'fail' && chain.length > 0 && isDnsFailure(result, comment))
    return { status: 'unknown', error: `dns: TXT ${silent.find(isName) ?? 'of ARC'}: no answer` };
  const fault =
    word === 'fail' ? (FAULTS.find(([start]) => start.test(comment))?.[1] ?? null) : null;
  const value = {
    report: {
      result: word,
      sets: chain.length,
      chain: chain.slice(0, MAX_SETS).map((entry) => ({
        i: entry.i,
        domain: nameOf(entry, 'd'),
        selector: nameOf(entry, 's').slice(0, MAX_SELECTOR),
        cv: wordOf(tagOf(entry, 'arc-seal', 'cv')),
        result: entry === chain.at(-1) ? word : null,
        reported: {
          spf: reported(entry, 'spf'),
          dkim: reported(entry, 'dkim'),
          dmarc: reported(entry, 'dmarc'),
        },
      })),
    },
    sealer: sealer || null,
    fault: word === 'fail' ? (fault ?? 'the chain is malformed') : null,
    passedBefore: chain.slice(0, MAX_SETS).flatMap(passedBefore),
  } as const;
  return { status: 'known', value };
}

const isDnsFailure = ({ status, signature }: ARCResult, comment: string): boolean =>
  (comment === '' && !status.policy) ||
  (/no valid signature/.test(comment) &&
    typeof signature === 'object' &&
    signature.status.result === 'temperror');

type Part = 'arc-seal' | 'arc-authentication-results';

const tagOf = (entry: ARCChainEntry | undefined, part: Part, tag: string): string => {
  const value: unknown = entry?.[part]?.parsed?.[tag]?.value;
  return typeof value === 'string' ? value : '';
};

/** Accepts only texts that can be names, because the header comes from the sender. */
const isName = (name: string): boolean => /^[a-z0-9._-]{1,255}$/.test(name);

const nameOf = (entry: ARCChainEntry | undefined, tag: 'd' | 's'): string => {
  const name = toALabels(tagOf(entry, 'arc-seal', tag));
  return isName(name) ? name : '';
};

const wordOf = (text: string): string | null =>
  /^[a-z]{1,12}$/i.test(text) ? text.toLowerCase() : null;

/**
 * The result words of RFC 8601 §2.7, and a word that a large receiver uses for a domain without a DMARC
 * record.
 */
const RESULTS: ReadonlySet<string> = new Set(
  'none neutral pass fail softfail policy temperror permerror bestguesspass'.split(' '),
);

/** Returns the text of the sealed Authentication-Results. */
function resultsOf(entry: ARCChainEntry): string {
  const original: unknown = entry['arc-authentication-results']?.original;
  return Buffer.isBuffer(original) ? original.toString('latin1') : String(original ?? '');
}

/** Returns the signing domain of each `dkim=pass` (RFC 8601 §2.7.1). */
const passedBefore = (entry: ARCChainEntry): readonly string[] =>
  resultsOf(entry)
    .split(';')
    .filter((result) => /^\s*dkim\s*=\s*pass\b/i.test(result))
    .map((result) => {
      const name = toALabels(
        /\sheader\.[di]\s*=\s*(?:[^\s@;]*@)?([^\s;@]+)/i.exec(result)?.[1] ?? '',
      );
      return isName(name) ? name : '';
    });

/**
 * Returns the first verdict of a method in the sealed Authentication-Results. An unknown word is omitted.
 */
function reported(entry: ARCChainEntry, method: 'spf' | 'dkim' | 'dmarc'): string | null {
  const pattern = new RegExp(`[;\\s]${method}\\s*=\\s*([a-z]{1,12})`, 'i');
  const match = pattern.exec(resultsOf(entry));
  const word = match?.[1]?.toLowerCase() ?? '';
  return RESULTS.has(word) ? word : null;
}
