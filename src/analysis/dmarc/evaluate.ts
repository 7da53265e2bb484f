/**
 * Evaluates DMARC for one email from its SPF and DKIM results and the DNS answers, and notes where the Public
 * Suffix List would align its domains differently.
 */

import type { Policy } from '../../domain/report/authentication.ts';
import { textsOf } from '../dns-answer.ts';
import { ifKnown, known, type LookupResult } from '../lookup-result.ts';
import { isPublicSuffix, organizationalDomain } from '../names/domain-names.ts';
import { policyTag } from './correct.ts';
import type { DmarcFacts } from './facts.ts';
import { resemblesDmarc } from './near-miss.ts';
import {
  type Alignment,
  alignByList,
  alignDomains,
  type DmarcAnswers,
  type Found,
  treeNames,
  walkTree,
} from './tree-walk.ts';

/**
 * A domain that SPF or DKIM authenticates. `undecided` means that the result is unknown and could still be a
 * pass.
 */
export interface Identifier {
  readonly domain: string;
  readonly outcome: 'pass' | 'fail' | 'undecided';
}

export interface DmarcInput {
  readonly fromDomain: string;
  /** True if the From domain exists. NXDOMAIN means that it does not (RFC 9989 §4.7 `np`). */
  readonly exists: LookupResult<boolean>;
  readonly answers: DmarcAnswers;
  readonly spf: Identifier;
  readonly dkim: readonly Identifier[];
}

/** The policy that applies in test mode, by published policy: always one level lower (RFC 9989 §4.7 `t`). */
const LOWERED = { reject: 'quarantine', quarantine: 'none', none: 'none' } as const;

/**
 * Evaluates DMARC for one email (RFC 9989 §5.3). Returns unknown if a failed lookup leaves open whether a
 * record applies.
 */
export function judgeDmarc(input: DmarcInput): LookupResult<DmarcFacts> {
  const { fromDomain, answers } = input;
  const { steps, organization, discovered, ignored } = walkTree(fromDomain, answers);
  if (discovered.status === 'unknown') return discovered;

  const found = discovered.value;
  const applied = found?.record.policy ? found : null;
  // The record that a fix changes, whether receivers use it or ignore it.
  const present = found ?? ignored;
  const texts = textsOf(answers.get(present?.name ?? organizationalDomain(fromDomain)));
  const spf = judgeIdentifiers(input, [input.spf], applied?.record.report.aspf ?? 'r');
  const dkim = judgeIdentifiers(input, input.dkim, applied?.record.report.adkim ?? 'r');
  const applies = applied ? appliedTag(applied, input) : 'p';
  const effective = applied ? effectivePolicy(applied, applies, input) : null;
  const decided = spf.decided && dkim.decided;
  // A result of "fail" also requires that the applicable policy is known. The alignment does not depend on
  // the policy.
  const isFinal = decided && (!applied || effective !== null);
  const isAligned = spf.best !== 'none' || dkim.best !== 'none';
  const result = !applied ? 'none' : isAligned ? 'pass' : isFinal ? 'fail' : 'temperror';
  const pslNote = comparePsl(input, spf, dkim);

  return known({
    report: {
      result,
      policy: applied?.record.policy ?? null,
      alignment: { spf: spf.best, dkim: dkim.best },
      record: found?.record.text ?? null,
      record_domain: found?.name ?? null,
      organizational_domain: organization.status === 'known' ? organization.value : null,
      organizational_domain_psl: organizationalDomain(fromDomain),
      psl_differs: pslNote !== null,
      tree_walk: steps.map((step) => ({ ...step })),
      ...found?.record.report,
      effective_policy: effective,
      disposition: result === 'fail' && effective ? effective : 'none',
    },
    anyRecord: treeNames(fromDomain).some((name) =>
      textsOf(answers.get(name)).some(resemblesDmarc),
    ),
    ignoredBecause: applied
      ? null
      : found
        ? `the record at _dmarc.${found.name} has neither a valid p= nor a valid rua=`
        : (ignored?.because ?? null),
    lint: applied ? lint(applied, texts) : [],
    ...(ignored && !found && { asideAt: ignored.name }),
    published: texts.filter(resemblesDmarc),
    strays: texts.filter((text) => !resemblesDmarc(text)),
    tags: present?.record.tags ?? [],
    applies,
    inherited: applied !== null && applied.name !== fromDomain,
    spfAligned: spf.best !== 'none',
    dkimAligned: dkim.best !== 'none',
    decided,
    pslNote,
  });
}

interface Judged {
  readonly best: Alignment;
  readonly decided: boolean;
  /** The relaxed alignment of each identifier that passed, even if the record requires strict alignment. */
  readonly relaxed: readonly { readonly domain: string; readonly aligned: boolean }[];
}

function judgeIdentifiers(
  { fromDomain, answers }: DmarcInput,
  identifiers: readonly Identifier[],
  mode: 'r' | 's',
): Judged {
  let best: Alignment = 'none';
  let decided = true;
  const relaxed: { domain: string; aligned: boolean }[] = [];
  for (const { domain, outcome } of identifiers) {
    if (outcome === 'fail') continue;
    const alignment = alignDomains(fromDomain, domain, answers);
    if (alignment.status === 'unknown') {
      // Under strict alignment, a different domain is never aligned, whatever its organization is.
      if (mode === 'r') decided = false;
      continue;
    }
    const counts = alignment.value === 'strict' || (alignment.value === 'relaxed' && mode === 'r');
    if (outcome === 'undecided') {
      if (counts) decided = false;
      continue;
    }
    relaxed.push({ domain, aligned: alignment.value !== 'none' });
    if (counts && best !== 'strict') best = alignment.value;
  }
  return { best, decided: decided || best !== 'none', relaxed };
}

/**
 * Returns the tag that decides the policy. For a name below the record's domain, that is `sp`, or `np` if the
 * name does not exist (RFC 9989 §4.7).
 */
function appliedTag(
  { name, record: { tags } }: Found,
  { fromDomain, exists }: DmarcInput,
): DmarcFacts['applies'] {
  if (name === fromDomain) return 'p';
  if (policyTag(tags, 'np') && ifKnown(exists) === false) return 'np';
  return policyTag(tags, 'sp') ? 'sp' : 'p';
}

/**
 * Returns the policy that applies, lowered in test mode. Returns null if `np` would change it and it is
 * unknown whether the domain exists.
 */
function effectivePolicy(
  { name, record: { policy, report } }: Found,
  tag: DmarcFacts['applies'],
  { fromDomain, exists }: DmarcInput,
): Policy | null {
  const policies = { p: policy, sp: report.subdomain_policy, np: report.nonexistent_policy };
  // If `p=` is invalid, the record's `sp=` and `np=` have no effect either.
  const own = policies[tag] ?? policy ?? 'none';
  const isOpen = name !== fromDomain && exists.status === 'unknown' && (policies.np ?? own) !== own;
  if (isOpen) return null;
  return report.testing ? LOWERED[own] : own;
}

function lint({ name, record }: Found, texts: readonly string[]): string[] {
  const isAlone = texts.every((text) => text.trim() === record.text);
  return [
    ...record.lint,
    ...(isFalseSuffix(name, record.report.psd)
      ? [`psd=y declares that ${name} is a public suffix, whose names have different owners`]
      : []),
    ...(isAlone ? [] : [`other TXT records at _dmarc.${name}`]),
  ];
}

/**
 * Returns whether a record declares an ordinary domain to be a public suffix (RFC 9989 §4.7 `psd`). The
 * domain and the names below it then count as different organizations.
 */
export const isFalseSuffix = (name: string, psd: DmarcFacts['report']['psd']): boolean =>
  psd === 'y' && !isPublicSuffix(name);

function comparePsl({ fromDomain }: DmarcInput, ...judged: readonly Judged[]): string | null {
  const differing = judged
    .flatMap(({ relaxed }) => relaxed)
    .find(({ domain, aligned }) => aligned !== (alignByList(fromDomain, domain) !== 'none'));
  if (!differing) return null;
  const { domain, aligned } = differing;
  return aligned
    ? `${domain} is aligned by the tree walk, but not for receivers that use the Public Suffix List`
    : `${domain} is aligned for receivers that use the Public Suffix List, but not by the tree walk`;
}

/**
 * Returns the facts for an email without a usable From, with which nothing can be aligned (RFC 9989 §5.3.1).
 */
export const dmarcWithoutFrom = (): DmarcFacts => ({
  report: {
    result: 'permerror',
    policy: null,
    alignment: { spf: 'none', dkim: 'none' },
    errors: ['no usable From'],
    disposition: 'none',
  },
  anyRecord: false,
  ignoredBecause: null,
  lint: [],
  tags: [],
  applies: 'p',
  inherited: false,
  spfAligned: false,
  dkimAligned: false,
  decided: true,
  pslNote: null,
});
