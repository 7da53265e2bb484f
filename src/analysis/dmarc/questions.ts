/**
 * Builds the questions that only the owner of a DMARC record can answer: which value of a repeated tag to
 * keep, whether the domain is a public suffix, and whether a mistyped policy for subdomains is wanted.
 */

import { POLICIES } from '../../domain/report/authentication.ts';
import { askStep, type Step } from '../advice/actions.ts';
import { policyTag, tagOf } from './correct.ts';
import type { DmarcFacts } from './facts.ts';

/**
 * Returns a question for each tag that has several values in the record. Only the owner knows which value was
 * meant, and receivers differ in which one they use.
 */
export function repeatedTagQuestions({ tags }: DmarcFacts): readonly Step[] {
  const policies = ['p', 'sp', 'np', 'pct'];
  return policies.flatMap((tag) => {
    const values = tags.flatMap(([name, value]) => (name.toLowerCase() === tag ? [value] : []));
    const different = [...new Set(values.map((value) => value.trim().toLowerCase()))];
    return different.length > 1
      ? [
          askStep(
            `Which value of ${tag}= do you want: ${different.join(' or ')}? Your record contains all of them, and receivers differ in which one they use. The record below has the last one. If you want another one, or have not read your reports yet, write ${tag}=${different[0]} in it before you publish it.`,
          ),
        ]
      : [];
  });
}

/** Returns the question to answer before receivers refuse all mail in the name of a parked domain. */
export const parkedQuestion = (domain: string): Step =>
  askStep(
    `Does a name under ${domain} send mail? If so, add sp=none to the record below, so that it affects only ${domain} itself.`,
  );

/** Returns the question whether an ordinary domain is a public suffix, as `psd=y` declares. */
export const suffixQuestions = (domain: string): readonly Step[] => [
  askStep(
    `Do you hand out names under ${domain} to others who send mail with them? If so, leave the record as it is. If not, psd=y is a mistake: mail from a name under ${domain} does not count as yours, and neither do its signatures and return paths. Then publish the record below.`,
  ),
];

/**
 * Returns a question for each mistyped policy for subdomains. The corrected record leaves such a policy out,
 * because only the owner knows whether it is wanted.
 */
export function policyQuestions({ tags }: DmarcFacts): readonly Step[] {
  return (['sp', 'np'] as const).flatMap((tag) => {
    const value = tagOf(tags, tag);
    if (value === undefined || value === '' || policyTag(tags, tag) !== undefined) return [];
    const meant = POLICIES.find((policy) => policy.startsWith(value.charAt(0)));
    return [
      askStep(
        `Is ${tag}=${value.slice(0, 40)} meant as a policy for your subdomains${meant ? ` (${tag}=${meant})` : ''}? Receivers cannot read it, so it never took effect, and the record above leaves it out. If you want it, read the reports first. When they show that no mail from your subdomains fails, add ${tag}=${meant ?? 'quarantine'} to the record.`,
      ),
    ];
  });
}
