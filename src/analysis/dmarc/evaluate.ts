import type { Policy } from '../../domain/report/authentication.ts';
import { textsOf } from '../dns-answer.ts';
import { known, type LookupResult } from '../lookup-result.ts';
import { organizationalDomain } from '../names/domain-names.ts';
import type { DmarcFacts } from './facts.ts';
import type { DmarcRecord } from './parse.ts';
import {
  type Alignment,
  alignByList,
  alignDomains,
  type DmarcAnswers,
  discoverRecord,
  type Found,
  organizationalDomainOf,
  resemblesDmarc,
  type TreeWalk,
  treeNames,
  walkTree,
} from './tree-walk.ts';

/** One authenticated identifier. `undecided`: its result is not known and may yet be a pass. */
export interface Identifier {
  readonly domain: string;
  readonly outcome: 'pass' | 'fail' | 'undecided';
}

export interface DmarcInput {
  readonly fromDomain: string;
  /** RFC 9989 §4.7 `np`: NXDOMAIN means it does not exist. */
  readonly exists: LookupResult<boolean>;
  readonly answers: DmarcAnswers;
  readonly spf: Identifier;
  readonly dkim: readonly Identifier[];
}

/** RFC 9989 §4.7 `t`: one level below what is published. */
const LOWERED = { reject: 'quarantine', quarantine: 'none', none: 'none' } as const;

/** DMARC of one mail (RFC 9989 §5.3). Unknown: whether a record applies could not be learnt. */
export function judgeDmarc(input: DmarcInput): LookupResult<DmarcFacts> {
  const { fromDomain, answers } = input;
  const walk = walkTree(fromDomain, answers);
  const discovered = discoverRecord(walk);
  if (discovered.status === 'unknown') return discovered;

  const applied = discovered.value?.record.policy ? discovered.value : null;
  const spf = judgeIdentifiers(input, [input.spf], applied?.record.aspf ?? 'r');
  const dkim = judgeIdentifiers(input, input.dkim, applied?.record.adkim ?? 'r');
  const effective = applied ? effectivePolicy(applied, input) : null;
  const decided = spf.decided && dkim.decided;
  // Which policy fails the mail has to be known too, the alignment does not depend on it.
  const isFinal = decided && (!applied || effective !== null);
  const isAligned = spf.best !== 'none' || dkim.best !== 'none';
  const result = !applied ? 'none' : isAligned ? 'pass' : isFinal ? 'fail' : 'temperror';
  const pslNote = comparePsl(input, spf, dkim);

  return known({
    report: {
      result,
      policy: applied?.record.policy ?? null,
      alignment: { spf: spf.best, dkim: dkim.best },
      ...describeWalk(walk, discovered.value),
      ...(pslNote !== null && { psl_differs: true }),
      effective_policy: effective,
      disposition: result === 'fail' && effective ? effective : 'none',
    },
    anyRecord: treeNames(fromDomain).some((name) =>
      textsOf(answers.get(name)).some(resemblesDmarc),
    ),
    ignoredBecause: whyIgnored(walk, discovered.value, applied),
    ...describeIgnored(walk, discovered.value, applied),
    lint: applied ? lint(applied, answers) : [],
    ...textsAt((applied ?? discovered.value ?? walk.ignored[0])?.name, answers),
    tags: applied?.record.tags ?? [],
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
  /** Relaxed alignment of each that passed, whatever the record asks for. */
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
      // Under strict alignment a different domain never counts, whatever its organization.
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

function effectivePolicy(
  { name, record }: Found,
  { fromDomain, exists }: DmarcInput,
): Policy | null {
  const lower = (policy: Policy) => (record.testing ? LOWERED[policy] : policy);
  const p = record.policy ?? 'none';
  if (name === fromDomain) return lower(p);
  const sp = record.subdomainPolicy ?? p;
  const np = record.nonexistentPolicy ?? sp;
  if (exists.status === 'known') return lower(exists.value ? sp : np);
  return np === sp ? lower(sp) : null;
}

function describeWalk(walk: TreeWalk, discovered: Found | null) {
  const organization = organizationalDomainOf(walk);
  const record: DmarcRecord | undefined = discovered?.record;
  return {
    record: record?.text ?? null,
    record_domain: discovered?.name ?? null,
    organizational_domain: organization.status === 'known' ? organization.value : null,
    organizational_domain_psl: organizationalDomain(walk.domain),
    psl_differs: false,
    tree_walk: walk.steps.map((step) => ({ ...step })),
    ...(record && {
      subdomain_policy: record.subdomainPolicy,
      nonexistent_policy: record.nonexistentPolicy,
      testing: record.testing,
      psd: record.psd,
      adkim: record.adkim,
      aspf: record.aspf,
      ruf: [...record.ruf],
      legacy_tags: [...record.legacyTags],
      errors: [...record.errors],
    }),
  };
}

function whyIgnored(walk: TreeWalk, discovered: Found | null, applied: Found | null) {
  if (applied) return null;
  if (discovered)
    return `the record at _dmarc.${discovered.name} has neither a valid p= nor a valid rua=`;
  return walk.ignored[0]?.because ?? null;
}

function describeIgnored(walk: TreeWalk, discovered: Found | null, applied: Found | null) {
  const ignored = applied ? undefined : (discovered ?? walk.ignored[0]);
  return ignored ? { ignored: { name: ignored.name, tags: ignored.record.tags } } : {};
}

/** What is at the name of the record: what is, or was intended as, one of DMARC, and what is not. */
function textsAt(name: string | undefined, answers: DmarcAnswers) {
  const texts = name === undefined ? [] : textsOf(answers.get(name));
  return {
    published: texts.filter(resemblesDmarc),
    strays: texts.filter((text) => !resemblesDmarc(text)),
  };
}

function lint({ name, record }: Found, answers: DmarcAnswers): string[] {
  const strays = textsOf(answers.get(name)).filter((text) => text.trim() !== record.text).length;
  return [...record.lint, ...(strays > 0 ? [`other TXT records at _dmarc.${name}`] : [])];
}

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

/** No usable From, so there is nothing to be aligned with (RFC 9989 §5.3.1). */
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
  inherited: false,
  spfAligned: false,
  dkimAligned: false,
  decided: true,
  pslNote: null,
});
