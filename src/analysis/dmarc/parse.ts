/**
 * Parses DMARC policy records, lists their faults, and separates tags between which a semicolon is missing.
 */

import { type Dmarc, POLICIES, type Policy } from '../../domain/report/authentication.ts';
import { entryOf } from '../lookup-result.ts';
import { parseReportAddress, splitAddresses } from '../syntax/report-address.ts';
import { readTags } from '../syntax/tag-list.ts';
import { splitWords } from '../syntax/words.ts';

type Tag = readonly [name: string, value: string];

/** A DMARC policy record, parsed leniently (RFC 9989 §4.7). `lint` lists the faults that were tolerated. */
export interface DmarcRecord {
  readonly text: string;
  /** The tags of the record in their published order. */
  readonly tags: readonly Tag[];
  /** The policy as RFC 9989 §4.10.1 determines it. Null if receivers must ignore the record. */
  readonly policy: Policy | null;
  /**
   * The report addresses in `rua=`, without an obsolete size suffix. Malformed addresses are included, so
   * that a report can quote them.
   */
  readonly rua: readonly string[];
  readonly lint: readonly string[];
  /**
   * The parts of the record that the report shows. `legacy_tags` lists which of `pct`, `rf`, `ri` and `!size`
   * are present; RFC 9989 removed them (§C.4, §C.5.2).
   */
  readonly report: Required<
    Pick<
      Dmarc,
      | 'subdomain_policy'
      | 'nonexistent_policy'
      | 'testing'
      | 'psd'
      | 'adkim'
      | 'aspf'
      | 'ruf'
      | 'legacy_tags'
      | 'errors'
    >
  >;
}

// The version must come first, and its value is case-sensitive (RFC 9989 §4.7).
const EXACT_VERSION = /^[vV][ \t]*=[ \t]*DMARC1[ \t]*(?:;|$)/;

export const KNOWN_TAGS = 'v p sp np adkim aspf fo rua ruf t psd pct rf ri'.split(' ');
const LEGACY = ['pct', 'rf', 'ri'];

/** Maximum number of tags that are read. No genuine record has that many. */
const MAX_TAGS = 100;

export const isDmarcRecord = (text: string): boolean => EXACT_VERSION.test(text.trim());

export const policyOf = (value: string | undefined): Policy | null =>
  POLICIES.find((policy) => policy === value?.toLowerCase()) ?? null;

/** The values that are allowed in each tag. Receivers ignore a tag with any other value (RFC 9989 §4.8). */
export const TAG_WORDS: Readonly<Record<string, readonly string[]>> = {
  adkim: ['r', 's'],
  aspf: ['r', 's'],
  t: ['y', 'n'],
  psd: ['y', 'n', 'u'],
};

const NEXT_TAG = `\\s*((?:${KNOWN_TAGS.toSorted((one, other) => other.length - one.length).join('|')})\\s*=.*)`;

/**
 * Matches a complete value that runs into the next tag because a semicolon is missing, by the name of the
 * tag.
 */
const JOINED: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    'p sp np': 'none|quarantine|reject',
    'adkim aspf t psd': '[rsynu]',
    'pct ri': String.raw`\d+`,
    fo: '[01ds](?::[01ds])*',
    'rua ruf': String.raw`[^=?]*@[^@=?\s]+?`,
  }).flatMap(([names, value]) => {
    const form = new RegExp(`^(${value})${NEXT_TAG}$`, 'is');
    return splitWords(names).map((name) => [name, form] as const);
  }),
);

/**
 * Returns the tags as they were meant if semicolons between them are missing, as in `p=nonerua=mailto:…`. A
 * DNS panel that joins the strings of a record can cause this.
 */
export function separateTags(tags: readonly Tag[], atMost = KNOWN_TAGS.length): readonly Tag[] {
  return tags.flatMap(([name, value]): readonly Tag[] => {
    const form = JOINED.get(name.toLowerCase());
    const [, own, rest] = (atMost > 0 && form?.exec(value)) || [];
    if (own === undefined || rest === undefined) return [[name, value]];
    return [[name, own], ...separateTags(tagsOf(rest), atMost - 1)];
  });
}

/** Returns the tags of a record in their published order. A tag without `=` has an empty value. */
export const tagsOf = (text: string): readonly Tag[] =>
  readTags(text, MAX_TAGS).map(([name, value]) => [name, value ?? '']);

export function parseDmarc(text: string): DmarcRecord {
  const tags = tagsOf(text);
  const values = new Map(tags.map(([name, value]) => [name.toLowerCase(), value]));
  const addresses = (name: string) =>
    splitAddresses(values.get(name) ?? '').map(parseReportAddress);
  const policyTag = (name: 'p' | 'sp' | 'np') => policyOf(values.get(name));
  const badPolicies = (['p', 'sp', 'np'] as const).flatMap((name) => {
    const value = values.get(name);
    return value === undefined || policyOf(value) !== null ? [] : [`${name}=${value}`];
  });

  const p = policyTag('p');
  const sp = policyTag('sp');
  const np = policyTag('np');
  const [rua, ruf] = [addresses('rua'), addresses('ruf')];
  const broken = [...rua, ...ruf].filter(({ isUri }) => !isUri);
  const errors = [...badPolicies, ...broken.map(({ uri }) => uri)];
  // If the policy is invalid but there is a report address, the policy is none. Without a report address,
  // receivers ignore the record (RFC 9989 §4.10.1).
  const isUsable = p !== null && badPolicies.length === 0;
  const fallback = rua.some(({ isUri }) => isUri) ? 'none' : null;
  const policy = isUsable ? p : fallback;
  const legacy = LEGACY.filter((name) => values.has(name));
  if ([...rua, ...ruf].some(({ hasSize }) => hasSize)) legacy.push('!size');

  const psd = values.get('psd')?.toLowerCase();
  return {
    text,
    tags,
    policy,
    report: {
      subdomain_policy: isUsable ? sp : null,
      nonexistent_policy: isUsable ? np : null,
      testing: values.get('t')?.toLowerCase() === 'y',
      psd: psd === 'y' || psd === 'n' ? psd : 'u',
      adkim: values.get('adkim')?.toLowerCase() === 's' ? 's' : 'r',
      aspf: values.get('aspf')?.toLowerCase() === 's' ? 's' : 'r',
      ruf: ruf.map(({ uri }) => uri),
      legacy_tags: legacy,
      errors: p === null && !values.has('p') ? ['p= is missing', ...errors] : errors,
    },
    rua: rua.map(({ uri }) => uri),
    lint: [
      ...badPolicies.map((bad) => `${bad.slice(0, 40)} is not a policy, so receivers read p=none`),
      ...(p === null && !values.has('p') ? ['p= is missing, so receivers read p=none'] : []),
      ...lintTags(tags),
      ...lintAddresses('rua', rua),
      ...lintAddresses('ruf', ruf),
    ],
  };
}

/**
 * Returns the faults of the report addresses. If no address in `rua=` is usable, the check `dmarc_rua`
 * reports that instead.
 */
function lintAddresses(
  name: 'rua' | 'ruf',
  addresses: readonly ReturnType<typeof parseReportAddress>[],
): string[] {
  const broken = addresses.filter(({ isUri }) => !isUri).length;
  return [
    ...(broken > 0 && (name === 'ruf' || broken < addresses.length)
      ? [`${name}= contains an address that is not a URI`]
      : []),
    ...(addresses.some(({ uri }) => /^mailto:\/\//i.test(uri))
      ? [`${name}= has slashes after mailto:, which become part of the address`]
      : []),
  ];
}

const joinedTags = (tags: readonly Tag[]): readonly string[] => {
  const separate = separateTags(tags);
  return separate.filter((one) => !tags.some(([name]) => name === one[0])).map(([name]) => name);
};

function lintTags(tags: readonly Tag[]): string[] {
  const names = tags.map(([name]) => name.toLowerCase());
  const unknown = tags.filter(([name]) => !KNOWN_TAGS.includes(name.toLowerCase()));
  const repeated = [...Map.groupBy(names, (name) => name)].filter(([, all]) => all.length > 1);
  const unusable = tags.filter(([name, value]) => {
    const words = entryOf(TAG_WORDS, name.toLowerCase());
    return words && !words.includes(value.toLowerCase());
  });
  return [
    ...unknown.map(([name]) => `unknown tag ${name}`),
    ...joinedTags(tags).map((name) => `a semicolon is missing before ${name}=`),
    // Older receivers ignore the whole record if a tag has an invalid value.
    ...unusable.map(([name, value]) => `${name}=${value} has no meaning`),
    // RFC 6376 §3.2, to which RFC 9989 §4.7 refers, makes a record with repeated tags invalid. In practice,
    // receivers use one of the values.
    ...repeated.map(
      ([name, all]) =>
        `${name}= appears ${all.length} times: some receivers use the last one, as this report does, others see no record`,
    ),
    // RFC 7489 §6.4 required `p=` as the second tag, and older receivers still do.
    ...(names.includes('p') && names[1] !== 'p' ? ['p= is not the second tag'] : []),
  ];
}
