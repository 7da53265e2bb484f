/**
 * Performs the DNS tree walk of DMARC, which finds the record that applies and the organizational domain, and
 * compares domains by their organizational domains.
 */

import { type Answer, textsOf } from '../dns-answer.ts';
import { known, type LookupResult, mapLookup, unknown } from '../lookup-result.ts';
import { isUnder, sameOrganization } from '../names/domain-names.ts';
import { asIntended, resemblesDmarc, whyNoRecord } from './near-miss.ts';
import { type DmarcRecord, isDmarcRecord, parseDmarc } from './parse.ts';

/**
 * The alignment of a domain with the From domain. `strict` means that they are equal, and `relaxed` that they
 * share an organizational domain.
 */
export type Alignment = 'strict' | 'relaxed' | 'none';

/**
 * Compares a domain with the From domain by tree walks (RFC 9989 §4.10.2). An organizational domain is the
 * domain itself or one above it. A domain outside the organizational domain of From therefore needs no tree
 * walk.
 */
export function alignDomains(
  fromDomain: string,
  domain: string,
  answers: DmarcAnswers,
): LookupResult<Alignment> {
  if (domain === '') return known('none');
  if (domain === fromDomain) return known('strict');
  if (!shareEnd(fromDomain, domain)) return known('none');
  const { organization } = walkTree(fromDomain, answers);
  if (organization.status === 'unknown') return organization;
  if (!isUnder(domain, organization.value)) return known('none');
  const { organization: other } = walkTree(domain, answers);
  if (other.status === 'unknown') return other;
  return known(other.value === organization.value ? 'relaxed' : 'none');
}

/** Compares a domain with the From domain by the Public Suffix List, as receivers did before RFC 9989. */
export function alignByList(fromDomain: string, domain: string): Alignment {
  if (domain === fromDomain) return 'strict';
  return domain !== '' && sameOrganization(fromDomain, domain) ? 'relaxed' : 'none';
}

// Two domains with different top-level labels cannot belong to one organization, so they need no tree walk.
const shareEnd = (one: string, other: string) => one.split('.').at(-1) === other.split('.').at(-1);

/**
 * Number of labels to which a tree walk shortens a longer name after the first query, so that it takes at
 * most eight queries (RFC 9989 §4.10).
 */
const MAX_LABELS = 7;

/** TXT answers, keyed by the name in the tree walk without `_dmarc.`. */
export type DmarcAnswers = ReadonlyMap<string, Answer<readonly string[]>>;

export interface Found {
  readonly name: string;
  readonly record: DmarcRecord;
}

interface TreeWalk {
  /** The names of the tree walk in order, up to the name at which it stopped. */
  readonly steps: readonly { readonly name: string; readonly found: boolean }[];
  /**
   * The organizational domain. Unknown if a lookup failed, because the names above the failed one are then
   * unknown too.
   */
  readonly organization: LookupResult<string>;
  /** The record that applies to the From domain. Null if no record applies. */
  readonly discovered: LookupResult<Found | null>;
  /**
   * The first record on the tree walk that receivers ignore. If a name has several records, this is the first
   * of them.
   */
  readonly ignored: (Found & { readonly because: string }) | undefined;
}

/** Returns every name that a tree walk can reach, so that all of them can be looked up at once. */
export function treeNames(domain: string): string[] {
  const names: string[] = [];
  let labels = domain.split('.');
  while (labels.length > 0) {
    names.push(labels.join('.'));
    labels = labels.length > MAX_LABELS ? labels.slice(-MAX_LABELS) : labels.slice(1);
  }
  return names;
}

/** Performs the DNS tree walk on answers that have already been received (RFC 9989 §4.10). */
export function walkTree(domain: string, answers: DmarcAnswers): TreeWalk {
  const steps: { name: string; found: boolean }[] = [];
  const found: Found[] = [];
  let ignored: TreeWalk['ignored'];
  let error: string | null = null;

  for (const name of treeNames(domain)) {
    const answer = answers.get(name);
    if (!answer || answer.status === 'failed') {
      error = `dns: TXT _dmarc.${name}: ${answer?.error ?? 'TIMEOUT'}`;
      break;
    }
    const { record, aside } = readAnswer(answer);
    steps.push({ name, found: record !== undefined });
    if (aside) ignored ??= { name, record: aside.record, because: aside.because(name) };
    if (!record) continue;
    found.push({ name, record });
    if (record.report.psd !== 'u') break;
  }
  const organization = error === null ? known(organizationOf(domain, found)) : unknown(error);
  return { steps, organization, discovered: discover(domain, found, organization), ignored };
}

interface DmarcReading {
  /** The record that receivers use. */
  readonly record?: DmarcRecord;
  /** A text that was meant as a record, but that receivers ignore. */
  readonly aside?: { readonly record: DmarcRecord; readonly because: (name: string) => string };
}

const readings = new WeakMap<object, DmarcReading>();

/** Reads the texts of an answer, once per answer. Several tree walks of one email use the same answers. */
function readAnswer(answer: Answer<readonly string[]>): DmarcReading {
  const known = readings.get(answer);
  if (known) return known;
  const reading = readTexts(textsOf(answer).map((text) => text.trim()));
  readings.set(answer, reading);
  return reading;
}

function readTexts(texts: readonly string[]): DmarcReading {
  const [usable, ...more] = texts.filter(isDmarcRecord);
  if (usable !== undefined && more.length === 0) return { record: parseDmarc(usable) };
  const near = usable ?? texts.find(resemblesDmarc);
  if (near === undefined) return {};
  const first = parseDmarc(asIntended(near));
  // If there are several records, the corrected copy keeps the report addresses of all of them.
  const addresses = more.flatMap((text) =>
    parseDmarc(text).tags.filter(([name]) => /^ru[af]$/i.test(name)),
  );
  const record = { ...first, tags: [...first.tags, ...addresses] };
  // Several records at one name count as no record (RFC 9989 §4.10).
  return usable === undefined
    ? {
        aside: {
          record,
          because: (at) => `the record at _dmarc.${at} ${whyNoRecord(near)}`,
        },
      }
    : { aside: { record, because: (at) => `${more.length + 1} DMARC records at _dmarc.${at}` } };
}

/**
 * Returns the organizational domain according to the records found, starting from the longest name (RFC 9989
 * §4.10.2).
 */
function organizationOf(domain: string, found: readonly Found[]): string {
  const decisive = found.find(
    ({ name, record: { report } }) => report.psd === 'n' || (report.psd === 'y' && name !== domain),
  );
  if (decisive?.record.report.psd === 'y') {
    const labels = decisive.name.split('.').length + 1;
    return domain.split('.').slice(-labels).join('.');
  }
  return (decisive ?? found.at(-1))?.name ?? domain;
}

/**
 * Returns the record that applies: that of the domain itself, otherwise that of the organizational domain,
 * otherwise that of the public suffix (RFC 9989 §4.10.1).
 */
function discover(
  domain: string,
  found: readonly Found[],
  organization: LookupResult<string>,
): LookupResult<Found | null> {
  const at = (own: string) => found.find(({ name }) => name === own);
  const own = at(domain);
  // The domain's own record applies, whatever the names above it publish.
  if (own) return known(own);
  const last = found.at(-1);
  return mapLookup(
    organization,
    (name) => at(name) ?? (last?.record.report.psd === 'y' ? last : null),
  );
}
