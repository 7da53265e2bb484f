import { parseTagList, tagListFault } from '../syntax/tag-list.ts';

/** RFC 6376 §3.5, in its order. */
const REQUIRED = ['v', 'a', 'b', 'bh', 'd', 'h', 's'];

// Words of the ABNF are without case.
export const ALGORITHM = /^(?:rsa-sha1|rsa-sha256|ed25519-sha256)$/i;
export const CANONICALIZATION = /^(?:simple|relaxed)(?:\/(?:simple|relaxed))?$/i;
const DIGITS = /^\d+$/;

const isAmong = (word: string, list: string): boolean =>
  list.split(':').some((one) => one.trim().toLowerCase() === word);

/**
 * Why verifiers must not look at a DKIM-Signature any further (RFC 6376 §6.1.1), in words of ours;
 * null: its syntax is no reason. Empty names in `h=` are let be, as verifiers do.
 */
export function dkimSyntaxFault(value: string): string | null {
  const broken = tagListFault(value);
  if (broken !== null) return broken;
  const tags = parseTagList(value);
  const missing = REQUIRED.find((name) => !tags.get(name));
  if (missing !== undefined) return `${missing}= is missing`;
  const faults: readonly (readonly [
    tag: string,
    isRight: (value: string) => boolean,
    what: string,
  ])[] = [
    ['v', (version) => version === '1', 'v= is not 1'],
    ['a', (name) => ALGORITHM.test(name), 'a= is no algorithm of DKIM'],
    ['c', (name) => CANONICALIZATION.test(name), 'c= is no canonicalization'],
    ['h', (names) => isAmong('from', names), 'From is not in h='],
    ['t', (digits) => DIGITS.test(digits), 't= is no number'],
    ['x', (digits) => DIGITS.test(digits), 'x= is no number'],
    ['l', (digits) => DIGITS.test(digits), 'l= is no number'],
    ['q', (methods) => isAmong('dns/txt', methods), 'q= is not dns/txt'],
  ];
  const wrong = faults.find(([tag, isRight]) => {
    const text = tags.get(tag);
    return text !== undefined && !isRight(text);
  });
  return wrong?.[2] ?? null;
}
