import { type Answer, textsOf } from '../dns-answer.ts';
import { known, type LookupResult, unknown } from '../lookup-result.ts';
import { asIntended, resemblesDmarc, whyNoRecord } from './near-miss.ts';
import { type DmarcRecord, isDmarcRecord, parseDmarc } from './parse.ts';

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
