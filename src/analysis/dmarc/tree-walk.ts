import { type Answer, textsOf } from '../dns-answer.ts';
import { known, type LookupResult, unknown } from '../lookup-result.ts';
import { isUnder, sameOrganization } from '../names/domain-names.ts';
import { type DmarcRecord, isDmarcRecord, parseDmarc } from './parse.ts';

/** How a domain stands to the From domain. `relaxed`: one organizational domain. */
export type Alignment = 'strict' | 'relaxed' | 'none';

/**
 * Compares two domains by tree walks (RFC 9989 §4.10.2). An organizational domain is the name
 * itself or one above it, so a domain outside the From domain's needs no walk of its own.
 */
export function alignDomains(
  fromDomain: string,
  domain: string,
  answers: DmarcAnswers,
): LookupResult<Alignment> {
  if (domain === '') return known('none');
  if (domain === fromDomain) return known('strict');
  if (!shareEnd(fromDomain, domain)) return known('none');
  const organization = organizationalDomainOf(walkTree(fromDomain, answers));
  if (organization.status === 'unknown') return organization;
  if (!isUnder(domain, organization.value)) return known('none');
  const other = organizationalDomainOf(walkTree(domain, answers));
  if (other.status === 'unknown') return other;
  return known(other.value === organization.value ? 'relaxed' : 'none');
}

/** The same by the Public Suffix List, as receivers from before RFC 9989 do it. */
export function alignByList(fromDomain: string, domain: string): Alignment {
  if (domain === fromDomain) return 'strict';
  return domain !== '' && sameOrganization(fromDomain, domain) ? 'relaxed' : 'none';
}

// Without a common label no walk can make them one organization.
const shareEnd = (one: string, other: string) => one.split('.').at(-1) === other.split('.').at(-1);

/** Texts at `_dmarc` that somebody intended as a DMARC record and that no receiver takes for one. */

const NAMES = 'v|p|sp|np|adkim|aspf|fo|rua|ruf|t|psd|pct|rf|ri';

/** Quotation marks and backslashes of a zone file that became part of the text. */
const ZONE_SIGNS = /["'\\“”‘’]/g;

/** A tag begins after anything that somebody takes for a separator. */
const BOUNDARY = new RegExp(`[;,\\s]+(?=(?:${NAMES})\\s*=)`, 'i');

const NEAR_MISS = /dmarc ?1|^[\s;]*p\s*=\s*(?:none|quarantine|reject)\b/i;

/** Longest text that is read, in characters: no honest record is as long. */
const MAX_LENGTH = 4096;

const bare = (text: string): string => text.slice(0, MAX_LENGTH).replace(ZONE_SIGNS, '').trim();

/** Whether somebody intended this as a DMARC record. */
export const resemblesDmarc = (text: string): boolean => NEAR_MISS.test(bare(text));

/** What keeps a text that resembles a record from being one (RFC 9989 §4.7), in words. */
export function whyNoRecord(text: string): string {
  const own = text.trim();
  if (/^["'“‘]/.test(own)) return 'begins with a quotation mark, which is part of the text';
  if (!/^v\s*=/i.test(own)) return 'does not begin with v=DMARC1';
  const [, value = ''] = /^v\s*=\s*([^\s;,]*)/i.exec(own) ?? [];
  if (/^dmarc1$/i.test(value) && value !== 'DMARC1') return `has v=${value} instead of v=DMARC1`;
  return value === 'DMARC1'
    ? 'has no semicolon after v=DMARC1'
    : 'does not begin with v=DMARC1 alone';
}

/** The same text with separators that are some: what its owner intended to publish. */
export function asIntended(text: string): string {
  const parts = bare(text)
    .split(';')
    .flatMap((part) => part.split(BOUNDARY))
    .map((part) => part.replace(/^[\s,]+|[\s,]+$/g, ''))
    .filter((part) => part !== '' && !/^v\s*=|^dmarc ?1$/i.test(part));
  return ['v=DMARC1', ...parts].join('; ');
}

/** A longer name goes on at this many labels, so that a walk is eight queries (RFC 9989 §4.10). */
const MAX_LABELS = 7;

/** TXT answers by the name of the walk, without `_dmarc.`. */
export type DmarcAnswers = ReadonlyMap<string, Answer<readonly string[]>>;

export interface Found {
  readonly name: string;
  readonly record: DmarcRecord;
}

export interface TreeWalk {
  readonly domain: string;
  /** Names in the order of the walk, up to where it stopped. */
  readonly steps: readonly { readonly name: string; readonly found: boolean }[];
  /** Records on the way, the longest name first. */
  readonly found: readonly Found[];
  /** The lookup that failed and ended the walk; what lies above is not known. */
  readonly error: string | null;
  /** Why a record on the way was set aside. */
  readonly ignored: readonly Ignored[];
}

/** A record that was set aside; of several, the first. */
interface Ignored extends Found {
  readonly because: string;
}

/** Every name a walk can come to, so that all can be asked at once. */
export function treeNames(domain: string): string[] {
  const names: string[] = [];
  let labels = domain.split('.');
  while (labels.length > 0) {
    names.push(labels.join('.'));
    labels = labels.length > MAX_LABELS ? labels.slice(-MAX_LABELS) : labels.slice(1);
  }
  return names;
}

/** The DNS tree walk (RFC 9989 §4.10) over answers that are already there. */
export function walkTree(domain: string, answers: DmarcAnswers): TreeWalk {
  const steps: { name: string; found: boolean }[] = [];
  const found: Found[] = [];
  const ignored: Ignored[] = [];

  for (const name of treeNames(domain)) {
    const answer = answers.get(name);
    if (!answer || answer.status === 'failed') {
      const error = `dns: TXT _dmarc.${name}: ${answer?.error ?? 'TIMEOUT'}`;
      return { domain, steps, found, error, ignored };
    }
    const { record, aside } = readAnswer(answer);
    steps.push({ name, found: record !== undefined });
    if (aside) ignored.push({ name, record: aside.record, because: aside.because(name) });
    if (!record) continue;
    found.push({ name, record });
    if (record.psd !== 'u') break;
  }
  return { domain, steps, found, error: null, ignored };
}

interface DmarcReading {
  /** The one that counts. */
  readonly record?: DmarcRecord;
  /** What was intended as one, and does not count. */
  readonly aside?: { readonly record: DmarcRecord; readonly because: (name: string) => string };
}

const readings = new WeakMap<object, DmarcReading>();

/** An answer is read once: each identifier of a mail has a walk of its own. */
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
  // Of several the addresses of all are kept for a corrected copy.
  const addresses = more.flatMap((text) =>
    parseDmarc(text).tags.filter(([name]) => /^ru[af]$/i.test(name)),
  );
  const record = { ...first, tags: [...first.tags, ...addresses] };
  // RFC 9989 §4.10: several records at one name count as none.
  return usable === undefined
    ? {
        aside: {
          record,
          because: (at) => `the record at _dmarc.${at} ${whyNoRecord(near)}`,
        },
      }
    : { aside: { record, because: (at) => `${more.length + 1} DMARC records at _dmarc.${at}` } };
}

/** The organizational domain of a walk's domain (RFC 9989 §4.10.2). */
export function organizationalDomainOf({ domain, found, error }: TreeWalk): LookupResult<string> {
  if (error !== null) return unknown(error);
  const decisive = found.find(
    ({ name, record }) => record.psd === 'n' || (record.psd === 'y' && name !== domain),
  );
  if (decisive?.record.psd === 'n') return known(decisive.name);
  if (decisive) {
    const labels = decisive.name.split('.').length + 1;
    return known(domain.split('.').slice(-labels).join('.'));
  }
  return known(found.at(-1)?.name ?? domain);
}

/**
 * The record that applies (RFC 9989 §4.10.1): the domain's own, else the organizational domain's,
 * else the public suffix's; null: none applies.
 */
export function discoverRecord(walk: TreeWalk): LookupResult<Found | null> {
  const own = walk.found[0];
  // The domain's own record applies whatever lies above.
  if (own?.name === walk.domain) return known(own);
  const organization = organizationalDomainOf(walk);
  if (organization.status === 'unknown') return organization;
  const last = walk.found.at(-1);
  const found =
    walk.found.find(({ name }) => name === organization.value) ??
    (last?.record.psd === 'y' ? last : null);
  return known(found);
}
